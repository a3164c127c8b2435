"""Interpretable models of tables: main effects and low-order interactions from pruned random features."""

import importlib
from typing import TYPE_CHECKING

# Importing scikit-learn takes long, so that names are imported on first use.
_MODULES = {
    "ShrimpRegressor": "_regressors",
    "MinL2Regressor": "_regressors",
    "NaivePruneRegressor": "_regressors",
    "RandomPruneRegressor": "_regressors",
    "ImpLinearRegressor": "_regressors",
    "StlsqRegressor": "_regressors",
    "SrfeRegressor": "_regressors",
    "LassoRegressor": "_regressors",
    "SsamRegressor": "_regressors",
    "SalsaRegressor": "_regressors",
    "KrrRegressor": "_regressors",
    "HarfeRegressor": "_regressors",
    "ShrimpClassifier": "_classifier",
    "SparseRandomFeatures": "_random_features",
    "PrunePathDisplay": "_displays",
    "TermsDisplay": "_displays",
    "MainEffectDisplay": "_displays",
    "InteractionDisplay": "_displays",
    "SupportDisplay": "_displays",
    "WaterfallDisplay": "_displays",
    "Sensitivity": "_sensitivity",
    "OutsideRangeWarning": "_clipping",
}

__all__ = [*_MODULES, "__version__"]

if TYPE_CHECKING:
    __version__: str
    from ._classifier import ShrimpClassifier
    from ._clipping import OutsideRangeWarning
    from ._displays import InteractionDisplay, MainEffectDisplay, PrunePathDisplay, SupportDisplay, TermsDisplay, WaterfallDisplay
    from ._random_features import SparseRandomFeatures
    from ._regressors import (
        HarfeRegressor,
        ImpLinearRegressor,
        KrrRegressor,
        LassoRegressor,
        MinL2Regressor,
        NaivePruneRegressor,
        RandomPruneRegressor,
        SalsaRegressor,
        ShrimpRegressor,
        SrfeRegressor,
        SsamRegressor,
        StlsqRegressor,
    )
    from ._sensitivity import Sensitivity


def __getattr__(name):
    if name == "__version__":
        value = importlib.import_module("._core", __name__).version
    elif name in _MODULES:
        value = getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return __all__
