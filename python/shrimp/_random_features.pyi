# Generated from the library's table of parameters by `make docs`.
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

Value = str | float | Sequence[Any] | None

class SparseRandomFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    order: Value
    features: Value
    sigma2: Value
    basis: Value
    frequency_distribution: Value
    dof: Value
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None: ...
    n_features_in_: int
    random_weights_: scipy.sparse.csr_array
    random_offset_: npt.NDArray[np.float64]
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def transform(self, X: Any) -> npt.NDArray[np.float64]: ...
