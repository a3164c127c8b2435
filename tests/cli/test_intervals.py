"""Intervals about predictions, shares and indices."""

import base64
import csv
import io
import json

import numpy as np
import pytest
from functions import write_csv


def noisy(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, 3))
    return x, 3 * np.sin(2 * x[:, 0]) + x[:, 1] + 0.4 * random.normal(size=rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("intervals")
    write_csv(folder / "train.csv", *noisy(300, 1))
    write_csv(folder / "test.csv", *noisy(1000, 2))
    return folder


@pytest.fixture(scope="module")
def model(fit_model, folder):
    return fit_model(folder / "train.csv", folder / "model.json", "--method", "auto", "--quick-error")


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def test_a_share_of_new_rows_lies_between_lower_and_upper(shrimp, model, folder):
    _, y = noisy(1000, 2)
    plain = columns_of(shrimp("predict", model, folder / "test.csv").stdout)
    for level in [0.5, 0.9]:
        found = columns_of(shrimp("predict", model, folder / "test.csv", "--interval", level).stdout)
        assert list(found) == ["prediction", "lower", "upper"]
        np.testing.assert_allclose(found["prediction"], plain["prediction"], rtol=1e-12)
        inside = np.mean((found["lower"] <= y) & (y <= found["upper"]))
        assert inside == pytest.approx(level, abs=0.07)


def test_rows_from_standard_input_and_a_file_to_write(shrimp, model, folder, tmp_path):
    run = shrimp("predict", model, "-", "--interval", ".9", "--output", tmp_path / "out.csv", stdin=(folder / "test.csv").read_text())
    assert run.returncode == 0
    assert (tmp_path / "out.csv").read_text() == shrimp("predict", model, folder / "test.csv", "--interval", ".9").stdout


def test_intervals_are_wider_outside_the_training_range_and_rows_there_are_told(shrimp, model, tmp_path):
    write_csv(tmp_path / "rows.csv", np.array([[0, 0, 0], [3, 0, 0], [9, 0, 0]], float), np.zeros(3))
    run = shrimp("predict", model, tmp_path / "rows.csv", "--interval", ".9")
    found = columns_of(run.stdout)
    width = found["upper"] - found["lower"]
    assert width[1] > 2 * width[0] and width[2] > 2 * width[1]
    assert "2 of 3 rows lie outside the training range" in run.stderr


def test_intervals_of_rows_that_lack_an_input_are_as_wide_as_its_effect(shrimp, model, tmp_path):
    """The model has seen no missing cell. sin(2 x1) takes nearly all of the variance, x3 takes none."""
    (tmp_path / "rows.csv").write_text("x1,x2,x3\n0.1,0.2,0.3\n,0.2,0.3\n0.1,,0.3\n0.1,0.2,\n,,\n")
    run = shrimp("predict", model, tmp_path / "rows.csv", "--interval", ".9", "-q")
    assert run.returncode == 0, run.stderr
    found = columns_of(run.stdout)
    whole, no_x1, no_x2, no_x3, nothing = found["upper"] - found["lower"]
    assert nothing > no_x1 > 3 * whole and no_x1 > no_x2 > 1.3 * whole
    assert no_x3 == pytest.approx(whole, rel=0.05)
    x, y = noisy(1000, 2)
    write_csv(tmp_path / "test.csv", x, y)
    rows = (tmp_path / "test.csv").read_text().splitlines()
    lacking = [rows[0], *("," + row.split(",", 1)[1] for row in rows[1:])]
    (tmp_path / "test.csv").write_text("\n".join(lacking) + "\n")
    found = columns_of(shrimp("predict", model, tmp_path / "test.csv", "--interval", ".9", "-q").stdout)
    assert np.mean((found["lower"] <= y) & (y <= found["upper"])) > 0.85


def test_intervals_of_rows_far_outside_are_finite_or_refused_as_intervals(shrimp, model, tmp_path):
    """The square of such a distance overflows; the clipped prediction and the width are numbers."""
    (tmp_path / "rows.csv").write_text("x1,x2,x3\n1e200,0,0\n-1e300,0.1,0\n")
    found = columns_of(shrimp("predict", model, tmp_path / "rows.csv", "--interval", ".9", "-q").stdout)
    assert (found["upper"] - found["lower"] > 1e199).all() and (np.abs(found["prediction"]) < 10).all()
    (tmp_path / "rows.csv").write_text("x1,x2,x3\n0,0,0\n1.7e308,-1.7e308,0\n")
    assert shrimp("predict", model, tmp_path / "rows.csv", "-q").returncode == 0
    run = shrimp("predict", model, tmp_path / "rows.csv", "--interval", ".9", "-q")
    assert run.returncode == 1 and "the interval of row 2 is not finite" in run.stderr


@pytest.mark.parametrize("level", ["0", "1", "2", "-0.5", "90", "nan"])
def test_a_level_that_is_no_share_is_refused(shrimp, model, folder, level):
    run = shrimp("predict", model, folder / "test.csv", f"--interval={level}")
    assert run.returncode == 2 and run.stdout == ""
    assert "between 0 and 1" in run.stderr and len(run.stderr.splitlines()) == 2


def test_a_level_that_is_no_number_is_refused(shrimp, model, folder):
    run = shrimp("predict", model, folder / "test.csv", "--interval", "wide")
    assert run.returncode == 2 and "wide" in run.stderr


def test_a_level_beyond_what_rows_tell_is_answered_with_a_word(shrimp, model, folder):
    run = shrimp("predict", model, folder / "test.csv", "--interval", ".9999")
    assert run.returncode == 0 and "may undercover" in run.stderr
    widest = columns_of(run.stdout)
    again = columns_of(shrimp("predict", model, folder / "test.csv", "--interval", ".99999").stdout)
    assert (widest["upper"] == again["upper"]).all()


def test_a_file_without_intervals_says_so(shrimp, model, folder, tmp_path):
    content = json.loads(model.read_text())
    del content["uncertainty"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    run = shrimp("predict", tmp_path / "old.json", folder / "test.csv", "--interval", ".9")
    assert run.returncode == 3 and run.stdout == ""
    assert "old.json has no intervals" in run.stderr and "Fit the model again." in run.stderr
    assert shrimp("predict", tmp_path / "old.json", folder / "test.csv").returncode == 0


def factor(values):
    return base64.b64encode(np.array(values, "<f4").tobytes()).decode()


DAMAGES = {
    "no noise": (lambda u: u.pop("noise"), "noise"),
    "noise of 0": (lambda u: u.update(noise=0), "noise"),
    "noise as text": (lambda u: u.update(noise="1"), "noise"),
    "standard deviation below 0": (lambda u: u.update(prediction_standard_deviation=-1), "prediction_standard_deviation"),
    "no levels": (lambda u: u.update(levels=[], quantiles=[]), "levels"),
    "levels that fall": (lambda u: u["levels"].reverse(), "levels"),
    "a level above 1": (lambda u: u["levels"].__setitem__(-1, 1.5), "levels"),
    "a quantile less": (lambda u: u["quantiles"].pop(), "quantiles"),
    "quantiles that fall": (lambda u: u["quantiles"].reverse(), "quantiles"),
    "a factor cut short": (lambda u: u.update(factor=u["factor"][:-8]), "factor"),
    "a factor of no base64": (lambda u: u.update(factor="!" + u["factor"][1:]), "factor"),
    "an empty factor": (lambda u: u.update(factor=""), "factor"),
    "a factor of another model": (lambda u: u.update(factor=factor([1.0])), "factor"),
    "a factor that is not finite": (lambda u: u.update(factor=factor([np.nan] * (len(u["factor"]) * 3 // 16))), "factor"),
    "a list": (lambda u: u.update(factor=[1.0]), "factor"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_posterior_is_refused(shrimp, model, folder, tmp_path, damage):
    change, word = DAMAGES[damage]
    content = json.loads(model.read_text())
    change(content["uncertainty"])
    (tmp_path / "damaged.json").write_text(json.dumps(content))
    for arguments in [("--interval", ".9"), ()]:
        run = shrimp("predict", tmp_path / "damaged.json", folder / "test.csv", *arguments)
        assert run.returncode == 3, run.stderr
        assert "damaged.json is damaged" in run.stderr and f'"{word}"' in run.stderr


def test_indices_and_shares_have_bounds(shrimp, model, folder):
    for arguments in [(), ("--data", folder / "train.csv")]:
        found = json.loads(shrimp("sensitivity", model, "--json", *arguments).stdout)
        first = found["inputs"][0]
        assert first["first_low"] < first["first"] < first["first_high"]
        assert first["total_low"] < first["total"] < first["total_high"]
        assert found["terms"][0]["low"] < found["terms"][0]["fraction"] < found["terms"][0]["high"]
    not_found = found["inputs"][2]  # Noise may hide a little.
    assert not_found["total"] == not_found["total_low"] == 0 < not_found["total_high"] < 0.01
    term = json.loads(shrimp("inspect", model, "--json").stdout)["terms"][0]
    assert 0 < term["low"] < term["fraction"] < term["high"] < 1


def test_an_updated_model_tells_how_sure_it_is_now(shrimp, model, folder, tmp_path):
    write_csv(tmp_path / "more.csv", *noisy(5000, 3))
    run = shrimp("summarize", model, tmp_path / "more.csv", "--target", "y", "--output", tmp_path / "more.sum", "-q")
    assert run.returncode == 0, run.stderr
    run = shrimp("merge", model, tmp_path / "more.sum", "--output", tmp_path / "merged.json", "-q")
    assert run.returncode == 0, run.stderr
    widths = []
    for path in [model, tmp_path / "merged.json"]:
        rows = json.loads(shrimp("sensitivity", path, "--json").stdout)["inputs"]
        widths.append(rows[0]["first_high"] - rows[0]["first_low"])
    assert widths[1] < widths[0] / 2
