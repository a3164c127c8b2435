#!/usr/bin/env python3
"""Writes type stubs of the estimators, whose parameters come from the library's table. `make docs` runs it.

    build/venv-python/bin/python docs/python_stubs.py python/shrimp
"""

import inspect
import pathlib
import sys

import shrimp

COMMON = """# Generated from the library's table of parameters by `make docs`.
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
"""

HEADERS = {
    "_regressors": COMMON + """
from ._base import BaseRegressor

Value = str | float | Sequence[Any] | None
""",
    "_classifier": COMMON + """
from ._classification import BaseClassifier

Value = str | float | Sequence[Any] | None
""",
    "_random_features": COMMON + """import numpy.typing as npt
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

Value = str | float | Sequence[Any] | None
""",
}

# `fit` is declared here because scikit-learn's decorator has no types.
REGRESSOR = """    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        groups: Any = None,
        exposure: Any = None,
    ) -> Self: ...
"""

CLASSIFIER = """    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, X_val: Any = None, y_val: Any = None, groups: Any = None
    ) -> Self: ...
"""

TRANSFORMER = """    n_features_in_: int
    random_weights_: scipy.sparse.csr_array
    random_offset_: npt.NDArray[np.float64]
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def transform(self, X: Any) -> npt.NDArray[np.float64]: ...
"""


# Base classes and methods of classes with all parameters; the others are subclasses of ShrimpRegressor.
BASES = {
    "ShrimpRegressor": ("BaseRegressor", REGRESSOR),
    "ShrimpClassifier": ("BaseClassifier", CLASSIFIER),
    "SparseRandomFeatures": ("ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator", TRANSFORMER),
}


def annotation(name, default):
    if name == "random_state":
        return "int | np.random.RandomState | None"
    if name == "n_jobs":
        return "int | None"
    if name == "class_weight":
        return "dict[Any, float] | str | None"
    return "bool" if isinstance(default, bool) else "Value"


def class_stub(name):
    cls = getattr(shrimp, name)
    parameters = inspect.signature(cls).parameters.values()
    bases, methods = BASES.get(name, ("ShrimpRegressor", ""))
    lines = [f"class {name}({bases}):"]
    if name in BASES:
        lines += [f"    {p.name}: {annotation(p.name, p.default)}" for p in parameters]
    lines += ["    def __init__(", "        self,", "        *,"]
    lines += [f"        {p.name}: {annotation(p.name, p.default)} = {p.default!r}," for p in parameters]
    lines += ["    ) -> None: ..."]
    return "\n".join(lines) + "\n" + methods


def stub_of(module):
    names = [name for name, own in shrimp._MODULES.items() if own == module]
    return HEADERS[module] + "\n" + "\n".join(map(class_stub, names))


def main():
    folder = pathlib.Path(sys.argv[1])
    for module in ("_regressors", "_classifier", "_random_features"):
        (folder / f"{module}.pyi").write_text(stub_of(module))


if __name__ == "__main__":
    main()
