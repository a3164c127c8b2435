"""scikit-learn's own checks. No failure is expected."""

import pytest
import shrimp
from estimators import ESTIMATORS, ONE_OF_EACH_KIND, SMALL
from shrimp import _deprecated
from sklearn.utils.estimator_checks import parametrize_with_checks

OTHERS = [estimator for estimator in ESTIMATORS if estimator not in ONE_OF_EACH_KIND]


@parametrize_with_checks(ONE_OF_EACH_KIND)
@pytest.mark.filterwarnings("ignore")
def test_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.campaign
@parametrize_with_checks(OTHERS)
@pytest.mark.filterwarnings("ignore")
def test_every_other_method_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_estimator_is_checked():
    assert {name for name in shrimp.__all__ if name.endswith("Regressor")} == set(SMALL)


def test_classes_of_methods_differ_in_their_method_alone():
    """scikit-learn's checks of one of them therefore run the code of all."""
    for estimator in OTHERS:
        cls = type(estimator)
        assert cls.__bases__ == (shrimp.ShrimpRegressor,)
        own = {name for name in vars(cls) if not name.startswith(("__", "set_"))}
        assert own - _deprecated.PARAMETERS.keys() == {"_method", "_parameters", "_documentation"}, cls
