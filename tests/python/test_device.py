"""The parameter device on a machine without a GPU. tests/cli/test_device.py and the unit tests cover machines with one."""

import numpy as np
import pytest

from shrimp import ShrimpRegressor


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.uniform(-1, 1, (60, 3))
    return X, X[:, 0] * X[:, 1] + 0.1 * random.normal(size=60)


def has_card(table):
    try:
        ShrimpRegressor(method="min-l2", features=20, device="cuda").fit(*table)
    except ValueError:
        return False
    return True


def test_a_gpu_that_is_missing_is_refused_with_the_reason(table):
    if has_card(table):
        pytest.skip("there is a card")
    with pytest.raises(ValueError, match=r"^device cuda: [^.]*\.\nUse device cpu, or auto"):
        ShrimpRegressor(device="cuda").fit(*table)


def test_auto_takes_the_processor_where_there_is_no_card(table):
    if has_card(table):
        pytest.skip("there is a card")
    X, y = table
    usual = ShrimpRegressor(method="shrimp").fit(X, y)
    chosen = ShrimpRegressor(method="shrimp", device="auto").fit(X, y)
    assert np.array_equal(usual.predict(X), chosen.predict(X))
