"""`report` of every estimator: the page of the command line, with the path that the fit knows."""

import html
import json
import re

import numpy as np
import pandas
import pytest
from estimators import REGRESSORS
from shrimp import ShrimpRegressor
from sklearn.base import clone
from sklearn.exceptions import NotFittedError


@pytest.fixture(scope="module")
def table():
    x = np.random.default_rng(1).uniform(-1, 1, (90, 3))
    X = pandas.DataFrame(x, columns=["speed", "load & <b>", "angle"])
    return X, pandas.Series(x[:, 0] * x[:, 1] + x[:, 2], name="drift")


def read(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda estimator: type(estimator).__name__)
def test_every_estimator_writes_a_page(estimator, table, tmp_path):
    X, y = table
    model = clone(estimator).fit(X[:60], y[:60])
    model.report(tmp_path / "report.html", X[60:], y[60:])
    page = read(tmp_path / "report.html")
    assert re.search(r"\b30\s(test )?rows\b", page) and "load &amp; &lt;b&gt;" in page
    assert len(page.encode()) < 1_000_000
    assert "does not contain the errors along the path" not in page


def test_the_page_has_the_score_of_the_test_rows(table, tmp_path):
    X, y = table
    model = ShrimpRegressor(method="shrimp", features=60).fit(X[:60], y[:60])
    model.report(str(tmp_path / "report.html"), X[60:], y[60:].to_numpy())
    errors = model.predict(X[60:]) - y[60:]
    assert f"<b>{np.sqrt(np.mean(errors**2)):.4g}</b>".replace("e-", "e−") in read(tmp_path / "report.html")


def test_the_path_is_drawn_after_a_fit_and_missed_after_loading(table, tmp_path):
    X, y = table
    model = ShrimpRegressor(method="shrimp", features=60).fit(X, y)
    model.report(tmp_path / "report.html")
    charts = [json.loads(html.unescape(text)) for text in re.findall(r'data-chart="([^"]*)"', read(tmp_path / "report.html"))]
    path = next(chart for chart in charts if chart["says"].startswith("{0} basis functions"))
    assert path["columns"][0] == list(model.path_["basis_functions"])
    model.save(tmp_path / "model.json")
    ShrimpRegressor.load(tmp_path / "model.json").report(tmp_path / "report.html")
    assert "does not contain the errors along the path" in read(tmp_path / "report.html")


def test_what_a_page_cannot_be_made_of_is_refused(table, tmp_path):
    X, y = table
    model = ShrimpRegressor(method="shrimp", features=60)
    with pytest.raises(NotFittedError):
        model.report(tmp_path / "report.html")
    model.fit(X, y)
    with pytest.raises(ValueError, match="only one of X and y is given"):
        model.report(tmp_path / "report.html", X)
    with pytest.raises(ValueError, match="feature names"):
        model.report(tmp_path / "report.html", X[["speed", "angle"]], y)
    with pytest.raises(ValueError, match=r"(?s)test data.*angle"):
        model.report(tmp_path / "report.html", X.assign(angle="left"), y)
    with pytest.raises(OSError, match="no folder"):
        model.report(tmp_path / "no folder" / "report.html")
    assert list(tmp_path.iterdir()) == []
