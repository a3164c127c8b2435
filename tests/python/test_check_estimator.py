"""scikit-learn's own checks, on every estimator. No failure is expected."""

import pytest
import shrimp
from estimators import ESTIMATORS, SMALL
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks(ESTIMATORS)
@pytest.mark.filterwarnings("ignore")
def test_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_estimator_is_checked():
    assert {name for name in shrimp.__all__ if name.endswith("Regressor")} == set(SMALL)
