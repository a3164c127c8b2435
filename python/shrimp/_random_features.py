"""Low-order random features as a transformer."""

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._deprecated import RenamedParameters
from ._parameters import in_python_names, takes, texts_of
from ._threads import threads_for
from ._validation import checked_inputs


@takes(
    "order", "features", "sigma2", "basis", "frequency_distribution", "dof", "random_state", "n_jobs", verbose=False
)
class SparseRandomFeatures(RenamedParameters, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Random features of few inputs each: a replacement for scikit-learn's RBFSampler.

    The frequency vectors (weights) are divided evenly among all sets of `order` inputs. Inner products of transformed
    rows approximate the mean over these sets of the kernel of the inputs in them. For normal weights it is the Gaussian
    kernel ``exp(-sigma2 * |x - x'|^2 / 2)``.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    random_weights_ : sparse array of shape (n_vectors, n_features_in_)
        Frequency vectors, one per row.
    random_offset_ : ndarray of shape (n_vectors,) or (0,)
        Phases for the bases cos and sin, empty for other bases.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the columns of X in `fit`, if they are strings.

    See Also
    --------
    sklearn.kernel_approximation.RBFSampler : Random Fourier features of all inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from shrimp import SparseRandomFeatures
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 4))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = make_pipeline(SparseRandomFeatures(order=2, features=300, sigma2=4), Ridge(1e-6)).fit(X, y)
    >>> round(model.score(X, y), 2)
    1.0
    """

    def fit(self, X, y=None):
        """Draw the weights for data with as many columns as X.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs. Only their number and names are used.
        y : Ignored
            Not used, present for scikit-learn's pipelines.

        Returns
        -------
        self : SparseRandomFeatures
            The fitted transformer.
        """
        X = checked_inputs(self, X, reset=True)
        try:
            drawn = _core.draw_features(X.shape[1], texts_of(self))
        except ValueError as error:
            raise ValueError(in_python_names(str(error))) from None
        offsets, variables, values, phases, self._basis, functions_of_a_vector = drawn
        shape = (len(offsets) - 1, X.shape[1])
        self.random_weights_ = scipy.sparse.csr_array((values, variables, offsets), shape=shape)
        self.random_offset_ = phases
        self._n_features_out = shape[0] * functions_of_a_vector
        return self

    def transform(self, X):
        """Evaluate the random features.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.

        Returns
        -------
        features : ndarray of shape (n_samples, n_features_out)
            For the basis fourier all cosines, then all sines. They are divided by the square root of the number of
            frequency vectors, so that inner products approximate a kernel.
        """
        check_is_fitted(self)
        X = checked_inputs(self, X)
        W = self.random_weights_
        # The mean square of a sinusoid with a random phase is 1/2.
        squared_scale = (2 if len(self.random_offset_) else 1) / W.shape[0]
        return _core.evaluate_features(
            X,
            W.indptr.astype(np.int64),
            W.indices.astype(np.int32),
            W.data,
            self.random_offset_,
            self._basis,
            np.sqrt(squared_scale),
            threads_for(self.n_jobs),
        )
