# Generated from the library's table of parameters by `make docs`.
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ._classification import BaseClassifier

Value = str | float | Sequence[Any] | None

class ShrimpClassifier(BaseClassifier):
    random_state: int | np.random.RandomState | None
    order: Value
    max_order: Value
    max_terms: Value
    include: Value
    exclude: Value
    one_se: bool
    quick_error: bool
    input_transform: Value
    clip: Value
    budget: Value
    features: Value
    prune: Value
    sigma2: Value
    basis: Value
    frequency_distribution: Value
    dof: Value
    ridge: Value
    rcond: Value
    standardize: bool
    validation: Value
    folds: Value
    blocks: bool
    n_jobs: int | None
    storage: Value
    memory: Value
    device: Value
    device_memory: Value
    class_weight: dict[Any, float] | str | None
    verbose: Value
    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 0,
        order: Value = 'auto',
        max_order: Value = 'auto',
        max_terms: Value = 'auto',
        include: Value = 'none',
        exclude: Value = 'none',
        one_se: bool = False,
        quick_error: bool = False,
        input_transform: Value = 'auto',
        clip: Value = 0.05,
        budget: Value = 'auto',
        features: Value = 10000,
        prune: Value = 'auto',
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        ridge: Value = 'auto',
        rcond: Value = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        class_weight: dict[Any, float] | str | None = None,
        verbose: Value = 0,
    ) -> None: ...
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, X_val: Any = None, y_val: Any = None, groups: Any = None
    ) -> Self: ...
