"""Rows outside the training range."""

import warnings

import numpy as np
import pandas
import pytest
import shrimp
from shrimp import ShrimpRegressor


@pytest.fixture(scope="module")
def training():
    """200 rows on [-1, 1]³ of y = sin 3 x1 + x3; x2 does nothing."""
    X = np.random.default_rng(7).uniform(-1, 1, (200, 3))
    return X, np.sin(3 * X[:, 0]) + X[:, 2]


@pytest.fixture(scope="module")
def model(training):
    return ShrimpRegressor().fit(*training)


OUTSIDE = np.array([[0, 0, 0], [9, 0, 0], [-9, 0, 0], [9, 0, -9], [0, 0, 9], [0, 99, 0]], dtype=float)
WORDS = "4 of 6 rows lie outside the training range and were clipped to it: x1 (3), x3 (2)."


def warnings_of(run):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [(entry.category, str(entry.message)) for entry in caught]


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, np.float32], ids=["rows", "columns", "single"])
def test_rows_outside_the_training_range_are_warned_of_once_a_call(model, layout):
    X = layout(OUTSIDE)
    assert warnings_of(lambda: model.predict(X)) == [(shrimp.OutsideRangeWarning, WORDS)]
    assert issubclass(shrimp.OutsideRangeWarning, UserWarning)


def test_rows_are_counted_over_all_parts_of_a_large_table(model):
    X = np.tile(OUTSIDE, (10_000, 1))
    ((_, words),) = warnings_of(lambda: model.predict(X))
    assert words.startswith("40000 of 60000 rows lie") and words.endswith(": x1 (30000), x3 (20000).")


def test_the_warning_points_to_the_call(model):
    with pytest.warns(shrimp.OutsideRangeWarning) as caught:
        model.predict(OUTSIDE)
    assert caught[0].filename == __file__


def test_the_warning_is_that_of_the_command_line(model, run_program, tmp_path):
    model.save(tmp_path / "model.json")
    pandas.DataFrame(OUTSIDE, columns=["x1", "x2", "x3"]).to_csv(tmp_path / "rows.csv", index=False)
    run = run_program("predict", tmp_path / "model.json", tmp_path / "rows.csv")
    assert run.stderr == f"shrimp: warning: {WORDS}\n"


def test_clipped_marks_the_cells_that_are_clipped(model):
    held = model.clipped(OUTSIDE)
    assert held.dtype == bool
    # The model does not depend on the second input.
    assert held.tolist() == [[abs(row[0]) > 2, False, abs(row[2]) > 2] for row in OUTSIDE]


def test_clipped_is_true_just_where_the_prediction_is_that_of_the_edge(model, training):
    X = np.zeros((400, 3))
    X[:, 0] = np.linspace(-1.5, 1.5, 400)
    low, high = training[0][:, 0].min(), training[0][:, 0].max()
    low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    assert np.array_equal(model.clipped(X)[:, 0], (X[:, 0] < low) | (X[:, 0] > high))


def test_rows_inside_are_not_warned_of(model, training):
    assert warnings_of(lambda: model.predict(training[0])) == []
    assert not model.clipped(training[0]).any()


def test_dataframes_name_their_inputs(training):
    X, y = training
    names = ["speed", "idle", "load"]
    model = ShrimpRegressor().fit(pandas.DataFrame(X, columns=names), y)
    frame = pandas.DataFrame(OUTSIDE, columns=names)
    with pytest.warns(shrimp.OutsideRangeWarning, match=r"clipped to it: speed \(3\), load \(2\)\.$"):
        model.predict(frame)
    assert model.clipped(frame).shape == (6, 3)


@pytest.mark.parametrize("options", [{"clip": "none"}, {"method": "shrimp", "features": 100}])
def test_models_without_limits_hold_nothing(training, options):
    model = ShrimpRegressor(**options).fit(*training)
    assert warnings_of(lambda: model.predict(OUTSIDE)) == []
    assert not model.clipped(OUTSIDE).any()
