"""Model files of every version so far are read for ever, and predict what they did."""

import json
import pathlib

import numpy as np
import pytest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
MODELS = sorted(GOLDEN.glob("*.json"))


def numbers_of(text):
    return np.loadtxt(text.splitlines(), delimiter=",", skiprows=1)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_an_old_file_predicts_what_it_did(shrimp, model):
    run = shrimp("predict", model, GOLDEN / "rows.csv")
    assert run.returncode == 0, run.stderr
    pinned = numbers_of(model.with_suffix(".predictions.csv").read_text())
    assert numbers_of(run.stdout) == pytest.approx(pinned, rel=1e-9)
    assert shrimp("inspect", model).returncode == 0


def test_there_is_a_file_of_every_version(shrimp, tmp_path):
    versions = {json.loads(path.read_text())["format_version"] for path in MODELS}
    newest = max(versions)
    assert versions == set(range(1, newest + 1))
    later = json.loads(MODELS[0].read_text()) | {"format_version": newest + 2}  # The next version may be in preparation.
    (tmp_path / "later.json").write_text(json.dumps(later))
    assert shrimp("inspect", tmp_path / "later.json").returncode == 3
