"""Rows outside the training range."""

import json

import numpy as np
import pytest

from functions import write_csv


@pytest.fixture(scope="module")
def training():
    """200 rows on [-1, 1]³ of y = sin 3 x1 + x3; x2 does nothing."""
    x = np.random.default_rng(7).uniform(-1, 1, (200, 3))
    return x, np.sin(3 * x[:, 0]) + x[:, 2]


@pytest.fixture(scope="module")
def clipped_model(fit_model, training, tmp_path_factory):
    folder = tmp_path_factory.mktemp("clipped")
    write_csv(folder / "train.csv", *training)
    return fit_model(folder / "train.csv", folder / "model.json", "--method", "auto")


@pytest.fixture
def rows(tmp_path):
    def write(x):
        path = tmp_path / "rows.csv"
        write_csv(path, np.asarray(x, float), np.zeros(len(x)))
        return path

    return write


def warned(shrimp, model, table):
    runs = [shrimp("predict", model, table), shrimp("evaluate", model, table)]
    assert [run.returncode for run in runs] == [0, 0]
    assert runs[0].stderr == runs[1].stderr
    return runs[0].stderr


def test_rows_outside_the_training_range_are_told_with_their_inputs(shrimp, clipped_model, rows):
    inside = [[0, 0, 0]] * 5
    table = rows([*inside, [9, 0, 0], [-9, 0, 0], [9, 0, -9], [0, 0, 9]])
    assert warned(shrimp, clipped_model, table) == (
        "shrimp: warning: 4 of 9 rows lie outside the training range and were clipped to it: x1 (3), x3 (2).\n"
    )


def test_the_input_with_most_rows_comes_first(shrimp, clipped_model, rows):
    assert "clipped to it: x3 (2), x1 (1).\n" in warned(shrimp, clipped_model, rows([[9, 0, 9], [0, 0, 9]]))


def test_one_row_is_told_in_the_singular(shrimp, clipped_model, rows):
    assert "warning: 1 of 2 rows lies outside the training range and was clipped to it: x1 (1).\n" in warned(
        shrimp, clipped_model, rows([[0, 0, 0], [9, 0, 0]])
    )


def test_what_is_told_is_what_is_held_at_the_edge(shrimp, predictions, clipped_model, training, rows):
    x, _ = training
    margin = 0.05 * np.ptp(x[:, 0])
    lowest, highest = x[:, 0].min() - margin, x[:, 0].max() + margin
    values = [lowest - 0.001, lowest + 0.001, highest - 0.001, highest + 0.001, highest + 100]
    table = rows([[value, 0, 0] for value in values])
    assert "3 of 5 rows lie" in warned(shrimp, clipped_model, table)
    low, _, _, high, far = predictions(clipped_model, table)
    at_the_edge = predictions(clipped_model, rows([[lowest, 0, 0], [highest, 0, 0]]))
    assert [low, high, far] == pytest.approx([at_the_edge[0], at_the_edge[1], at_the_edge[1]], abs=1e-12)


def test_inputs_that_the_model_does_not_look_at_are_not_told(shrimp, clipped_model, rows):
    content = json.loads(clipped_model.read_text())
    assert {j for feature in content["features"] for j in feature["variables"]} == {0, 2}
    assert warned(shrimp, clipped_model, rows([[0, 99, 0]])) == ""


def test_rows_inside_are_not_told(shrimp, clipped_model, training, rows):
    assert warned(shrimp, clipped_model, rows(training[0])) == ""


def test_nothing_is_told_with_quiet(shrimp, clipped_model, rows):
    table = rows([[9, 0, 0]])
    for command in ("predict", "evaluate"):
        assert not shrimp(command, clipped_model, table, "-q").stderr
        assert not shrimp(command, clipped_model, table, "--quiet").stderr


def test_models_without_limits_tell_nothing(shrimp, fit_model, training, rows, tmp_path):
    write_csv(tmp_path / "train.csv", *training)
    for options in (["--method", "auto", "--clip", "none"], ["--method", "shrimp"]):
        model = fit_model(tmp_path / "train.csv", tmp_path / "model.json", *options)
        assert warned(shrimp, model, rows([[9, 9, 9]])) == ""
