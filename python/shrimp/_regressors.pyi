# Generated from the library's table of parameters by `make docs`.
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ._base import BaseRegressor

Value = str | float | Sequence[Any] | None

class ShrimpRegressor(BaseRegressor):
    method: Value
    loss: Value
    tweedie_power: Value
    quantile: Value
    random_state: int | np.random.RandomState | None
    standardize: bool
    max_order: Value
    max_terms: Value
    include: Value
    exclude: Value
    one_se: bool
    quick_error: bool
    input_transform: Value
    target_transform: Value
    clip: Value
    budget: Value
    order: Value
    features: Value
    sigma2: Value
    basis: Value
    frequency_distribution: Value
    dof: Value
    prune: Value
    threshold: Value
    ridge: Value
    rcond: Value
    alpha: Value
    sparsity: Value
    eta: Value
    first_order: bool
    refit: bool
    tolerance: Value
    max_iterations: Value
    gamma: Value
    validation: Value
    folds: Value
    blocks: bool
    n_jobs: int | None
    storage: Value
    memory: Value
    device: Value
    device_memory: Value
    verbose: Value
    def __init__(
        self,
        *,
        method: Value = 'auto',
        loss: Value = 'squared',
        tweedie_power: Value = 1.5,
        quantile: Value = 0.5,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        max_order: Value = 'auto',
        max_terms: Value = 'auto',
        include: Value = 'none',
        exclude: Value = 'none',
        one_se: bool = False,
        quick_error: bool = False,
        input_transform: Value = 'auto',
        target_transform: Value = 'auto',
        clip: Value = 0.05,
        budget: Value = 'auto',
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        prune: Value = 'auto',
        threshold: Value = 'auto',
        ridge: Value = 'auto',
        rcond: Value = 0,
        alpha: Value = 'auto',
        sparsity: Value = 'auto',
        eta: Value = 0,
        first_order: bool = False,
        refit: bool = False,
        tolerance: Value = 1e-06,
        max_iterations: Value = 'auto',
        gamma: Value = 'auto',
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        groups: Any = None,
        exposure: Any = None,
    ) -> Self: ...

class MinL2Regressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        ridge: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class NaivePruneRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        prune: Value = 'auto',
        ridge: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class RandomPruneRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        prune: Value = 'auto',
        ridge: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class ImpLinearRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        basis: Value = 'auto',
        prune: Value = 'auto',
        ridge: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class StlsqRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        threshold: Value = 'auto',
        ridge: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class SrfeRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        prune: Value = 'auto',
        sparsity: Value = 'auto',
        eta: Value = 0,
        first_order: bool = False,
        refit: bool = False,
        tolerance: Value = 1e-06,
        max_iterations: Value = 'auto',
        rcond: Value = 0,
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class LassoRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        alpha: Value = 'auto',
        tolerance: Value = 1e-06,
        max_iterations: Value = 'auto',
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class SsamRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        gamma: Value = 'auto',
        alpha: Value = 'auto',
        tolerance: Value = 1e-06,
        max_iterations: Value = 'auto',
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class SalsaRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        gamma: Value = 'auto',
        alpha: Value = 'auto',
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class KrrRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        gamma: Value = 'auto',
        alpha: Value = 'auto',
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...

class HarfeRegressor(ShrimpRegressor):
    def __init__(
        self,
        *,
        order: Value = 'auto',
        features: Value = 10000,
        sigma2: Value = '1/q',
        basis: Value = 'auto',
        frequency_distribution: Value = 'normal',
        dof: Value = 3,
        sparsity: Value = 'auto',
        ridge: Value = 'auto',
        max_iterations: Value = 'auto',
        random_state: int | np.random.RandomState | None = 0,
        standardize: bool = True,
        validation: Value = 0.1,
        folds: Value = 0,
        blocks: bool = False,
        n_jobs: int | None = None,
        storage: Value = 'auto',
        memory: Value = 0,
        device: Value = 'cpu',
        device_memory: Value = 0,
        verbose: Value = 0,
    ) -> None: ...
