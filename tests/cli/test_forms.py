"""Models whose inputs enter by rank or logarithm, and whose target was fitted as its logarithm."""

import json

import numpy as np
import pytest

from forms import Forms, make_rows
from functions import write_csv


@pytest.fixture(scope="module")
def forms():
    return Forms()


@pytest.fixture(scope="module")
def models(forms, fit_model, tmp_path_factory):
    return forms.make_files(fit_model, tmp_path_factory.mktemp("forms"))


def predicted(shrimp, model, x, folder):
    write_csv(folder / "rows.csv", x, np.zeros(len(x)))
    run = shrimp("predict", model, folder / "rows.csv", "-q")
    assert run.returncode == 0, run.stderr
    return np.array(run.stdout.split()[1:], dtype=float)


def test_predictions_are_means_in_the_targets_own_units(shrimp, forms, models, tmp_path):
    plain, formed = models
    x = make_rows(2)
    expected = 1.1 * np.exp(predicted(shrimp, plain, forms.entered(x), tmp_path))
    assert predicted(shrimp, formed, x, tmp_path) == pytest.approx(expected, rel=1e-9)
    assert predicted(shrimp, formed, forms.X, tmp_path) / forms.y == pytest.approx(np.full(200, 1.1), rel=0.1)


def test_inputs_of_the_other_sign_are_held_at_the_limit(shrimp, forms, models, tmp_path):
    formed = models[1]
    highest = json.loads(formed.read_text())["scaling"]["input_highest"][0]
    x = np.tile(forms.X[:1], (3, 1))
    x[:, 0] = [highest, 0, 5]
    values = predicted(shrimp, formed, x, tmp_path)
    assert np.all(values == values[0])
    assert "x1 (2)" in shrimp("predict", formed, tmp_path / "rows.csv").stderr


def test_inspect_tells_the_forms(shrimp, models):
    plain, formed = models
    text = shrimp("inspect", formed).stdout
    assert "\n  transforms       x2, x3 by rank; x1 by logarithm\n" in text
    target = "target fitted as log(y), to which terms refer; predictions and errors refer to y"
    assert target in " ".join(text.split())
    verbose = shrimp("inspect", formed, "-v").stdout
    assert "log(y) = " in verbose and "log(-x1): mean" in verbose
    told = json.loads(shrimp("inspect", formed, "--json").stdout)
    assert told["transforms"] == {"x1": "log", "x2": "rank", "x3": "rank"}
    assert told["target_transform"] == "log"


def test_models_without_forms_say_nothing_of_them(shrimp, models):
    text = shrimp("inspect", models[0]).stdout
    assert "\n  forms " not in text and "\n  target " not in text
    told = json.loads(shrimp("inspect", models[0], "--json").stdout)
    assert (told["transforms"], told["target_transform"]) == ({}, "identity")


DAMAGES = {
    "older version": (lambda m: m.update(format_version=3), "format_version"),
    "warp missing": (lambda m: m["scaling"]["input_transforms"].pop(), "number of transforms"),
    "unknown warp": (lambda m: m["scaling"]["input_transforms"][3].update(type="cube"), "transform 3 has an unknown \"type\": cube"),
    "knots fall": (lambda m: m["scaling"]["input_transforms"][1]["values"].reverse(), "transform 1 has \"values\" that are not in ascending order"),
    "logarithm of zero": (lambda m: m["scaling"]["input_highest"].__setitem__(0, 0), "reach zero"),
    "correction of nothing": (lambda m: m["scaling"].update(target_correction=0), "target_correction"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_forms_are_refused_by_what_is_wrong(shrimp, models, tmp_path, damage):
    change, words = DAMAGES[damage]
    model = json.loads(models[1].read_text())
    change(model)
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(model))
    run = shrimp("inspect", path)
    assert run.returncode != 0
    assert words in run.stderr and "is damaged" in run.stderr
