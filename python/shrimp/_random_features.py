"""Low-order random features as a transformer."""

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._cells import checked_inputs
from ._parameters import in_python_names, takes, texts_of
from ._threads import threads_for


@takes("order", "features", "sigma2", "basis", "law", "dof", "seed", "threads", verbose=False)
class SparseRandomFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Random features that look at few inputs each: a drop-in for scikit-learn's RBFSampler.

    Every set of `order` inputs gets its part of the `features` weight vectors. Inner products of transformed rows
    approximate the average over these sets of the kernel of the inputs in them, exp(-sigma2 * |x - x'|^2 / 2) for
    normal weights.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    random_weights_ : sparse array of shape (n_vectors, n_features)
        The weight vectors, a row each.
    random_offset_ : ndarray of shape (n_vectors,) or (0,)
        Phases, for the bases cos and sin.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

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
        """Draw the weights for data with as many inputs as X has.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        X = checked_inputs(self, X, reset=True)
        try:
            drawn = _core.draw_features(X.shape[1], texts_of(self))
        except ValueError as error:
            raise ValueError(in_python_names(str(error))) from None
        offsets, variables, values, phases, self._basis, columns_of_a_vector = drawn
        shape = (len(offsets) - 1, X.shape[1])
        self.random_weights_ = scipy.sparse.csr_array((values, variables, offsets), shape=shape)
        self.random_offset_ = phases
        self._n_features_out = shape[0] * columns_of_a_vector
        return self

    def transform(self, X):
        """The features of each row of X.

        Returns
        -------
        ndarray of shape (n_samples, n_columns)
            For the basis fourier all cosines, then all sines; scaled by the root of the number of weight vectors, so
            that inner products approximate a kernel.
        """
        check_is_fitted(self)
        X = checked_inputs(self, X)
        W = self.random_weights_
        return _core.evaluate_features(
            X,
            W.indptr.astype(np.int64),
            W.indices.astype(np.int32),
            W.data,
            self.random_offset_,
            self._basis,
            # The square of a wave with a random phase is one half on average.
            np.sqrt((2 if len(self.random_offset_) else 1) / W.shape[0]),
            threads_for(self.n_jobs),
        )
