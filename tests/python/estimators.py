"""Every estimator of the package, small enough for many fits."""

import shrimp

SMALL = {
    "ShrimpRegressor": {"features": 100, "quick_error": True},
    "MinL2Regressor": {"features": 100},
    "NaivePruneRegressor": {"features": 100},
    "RandomPruneRegressor": {"features": 100},
    "StlsqRegressor": {"features": 100},
    "SrfeRegressor": {"features": 100, "eta": 0.1},
    "LassoRegressor": {},
    "ImpLinearRegressor": {},
    "SsamRegressor": {"features": 100},
    "SalsaRegressor": {"order": 1, "alpha": 1e-3},
    "KrrRegressor": {},
    "HarfeRegressor": {"features": 100, "sparsity": 10},
}

REGRESSORS = [getattr(shrimp, name)(**parameters) for name, parameters in SMALL.items()]
CLASSIFIERS = [shrimp.ShrimpClassifier(features=100, quick_error=True)]
ESTIMATORS = [*REGRESSORS, *CLASSIFIERS, shrimp.SparseRandomFeatures(features=50)]

# All methods in one class, a class of a single method, a model of kernels, classes, and a transformer.
_KINDS = (shrimp.ShrimpRegressor, shrimp.LassoRegressor, shrimp.KrrRegressor, shrimp.ShrimpClassifier, shrimp.SparseRandomFeatures)
ONE_OF_EACH_KIND = [estimator for estimator in ESTIMATORS if type(estimator) in _KINDS]
