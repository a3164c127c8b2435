"""Tables in files whose columns are more than numbers, read block by block."""

import datetime

import numpy as np
import pandas
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
from shrimp import LassoRegressor, ShrimpRegressor, _core

NAMES = ["x", "color", "z", "when", "flag", "grade"]
EFFECTS = {"red": 1.5, "green": -1.0, "blue": 0.0}
SETTINGS = {"quick_error": True, "input_transform": "none", "target_transform": "identity", "max_order": 1}


def rows_of(count, seed=0):
    random = np.random.default_rng(seed)
    color = random.choice(list(EFFECTS), count)
    frame = pandas.DataFrame(
        {
            "x": random.uniform(-1, 1, count),
            "color": pandas.Series(color).mask(random.uniform(size=count) < 0.1),
            "z": np.where(random.uniform(size=count) < 0.2, np.nan, random.uniform(-1, 1, count)),
            "when": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(random.integers(0, 400 * 24, count), "h"),
            "flag": random.uniform(size=count) < 0.5,
            "grade": pandas.Categorical.from_codes(random.integers(0, 3, count), [7, 10, 20]),
        }
    )
    frame.loc[::17, "when"] = pandas.NaT
    y = frame.x + frame.color.map(EFFECTS).fillna(2.0) + frame.z.fillna(1.0) + frame.flag + (frame.grade == 10)
    return frame.assign(y=y + 0.05 * random.normal(size=count))


@pytest.fixture(scope="module")
def frame():
    return rows_of(200)


@pytest.fixture(scope="module")
def known(frame):
    return ShrimpRegressor(**SETTINGS).fit(frame[NAMES], frame["y"])


def as_arrow(frame):
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def write_parquet(frame, folder):
    pyarrow.parquet.write_table(as_arrow(frame), folder / "t.parquet", row_group_size=37)
    return folder / "t.parquet"


def write_feather(frame, folder):
    pyarrow.feather.write_feather(as_arrow(frame), folder / "t.feather", chunksize=53)
    return folder / "t.feather"


def with_dictionaries(frame, folder):
    """Levels in a different order in every part. Some do not occur in any row."""
    parts = [
        as_arrow(part.assign(color=pandas.Categorical(part.color, categories=order)))
        for part, order in [(frame[:90], ["none", "blue", "red", "green"]), (frame[90:], ["green", "red", "other", "blue"])]
    ]
    return pyarrow.concat_tables(parts)


SOURCES = {
    "Parquet": write_parquet,
    "Feather": write_feather,
    "table": lambda frame, folder: as_arrow(frame),
    "dataset": lambda frame, folder: pyarrow.dataset.dataset(write_parquet(frame, folder)),
    "dictionaries": with_dictionaries,
}


@pytest.mark.parametrize("kind", SOURCES)
def test_such_a_table_gives_the_model_of_its_dataframe(kind, frame, known, tmp_path):
    source = SOURCES[kind](frame, tmp_path)
    fitted = ShrimpRegressor(**SETTINGS).fit_table(source, "y")
    assert fitted.model_.to_json() == known.model_.to_json()
    assert list(fitted.feature_names_in_) == NAMES
    assert np.array_equal(np.concatenate(list(fitted.predict_table(source))), known.predict(frame[NAMES]))


def test_a_csv_file_gives_the_same_terms_and_predictions(frame, tmp_path):
    rows = frame[["x", "color", "z", "y"]]
    rows.to_csv(tmp_path / "t.csv", index=False)
    by_text = ShrimpRegressor(**SETTINGS).fit_table(tmp_path / "t.csv", "y")
    by_arrow = ShrimpRegressor(**SETTINGS).fit_table(as_arrow(rows), "y")
    assert list(by_text.feature_names_in_) == ["x", "color", "z"] == list(by_arrow.feature_names_in_)
    assert by_text.terms_.term.tolist() == by_arrow.terms_.term.tolist()
    np.testing.assert_allclose(by_text.predict(rows[["x", "color", "z"]]), by_arrow.predict(rows[["x", "color", "z"]]), rtol=1e-9)


def test_a_long_table_with_levels_gives_one_model_however_it_is_stored(tmp_path):
    frame = rows_of(50100)[["x", "color", "z", "y"]]
    frame.loc[50050:, "color"] = "late"  # Levels become more from block to block.
    frame.to_csv(tmp_path / "t.csv", index=False)
    models = [
        ShrimpRegressor(**SETTINGS).fit_table(source, "y").model_ for source in (tmp_path / "t.csv", write_parquet(frame, tmp_path))
    ]
    assert models[0].results["rows_searched"] < models[0].results["rows"] == len(frame)
    assert models[0].to_json() == models[1].to_json()


def test_dates_of_all_types_are_days(frame, known):
    moments = as_arrow(frame)
    days = moments.set_column(3, "when", moments["when"].cast(pyarrow.date32(), safe=False))
    midnight = frame.assign(when=frame.when.dt.floor("D"))
    for kind in (pyarrow.date32(), pyarrow.date64(), pyarrow.timestamp("s"), pyarrow.timestamp("us", "UTC")):
        table = days.set_column(3, "when", days["when"].cast(pyarrow.timestamp("s")).cast(kind))
        predicted = np.concatenate(list(known.predict_table(table)))
        assert np.array_equal(predicted, known.predict(midnight[NAMES])), kind


def test_unseen_levels_and_missing_cells_are_warned_of_once(frame, known):
    far = as_arrow(frame.assign(color="mauve", x=np.nan))
    with pytest.warns(UserWarning) as warned:
        predicted = np.concatenate(list(known.predict_table(far)))
    words = [str(warning.message) for warning in warned]
    assert sum('training rows did not contain ("mauve")' in word for word in words) == 1
    assert sum('lack "x", which was missing in few training rows or none' in word for word in words) == 1
    with pytest.warns(UserWarning):
        assert np.array_equal(predicted, known.predict(frame.assign(color="mauve", x=np.nan)[NAMES]))


@pytest.mark.parametrize("name, cells, words", [
    ("x", ["soft"] * 200, 'column "x" has text, but the model needs numbers'),
    ("when", [1.5] * 200, 'column "when" has numbers, but the model needs dates'),
    ("x", [0.0] * 199 + [float("inf")], 'row 200, column "x": "inf" is not a finite number'),
    ("x", [[1.0]] * 200, 'row 1, column "x": "[1.0]" is not a number'),
])  # fmt: skip
def test_columns_of_another_type_are_refused_at_predictions(name, cells, words, frame, known):
    table = as_arrow(frame)
    table = table.set_column(table.schema.get_field_index(name), name, pyarrow.array(cells))
    with pytest.raises(ValueError) as refused:
        list(known.predict_table(table))
    assert words in str(refused.value)


def test_the_target_and_what_rows_count_must_be_numbers(frame):
    table = as_arrow(frame.assign(y=frame.y.mask(frame.index == 4), w="often"))
    with pytest.raises(ValueError, match='row 5, column "y": the cell is empty'):
        ShrimpRegressor(**SETTINGS).fit_table(table.drop_columns(["w"]), "y")
    with pytest.raises(ValueError, match='row 1, column "w": "often" is not a number'):
        ShrimpRegressor(**SETTINGS).fit_table(as_arrow(frame.assign(w="often")), "y", sample_weight="w")


def test_other_methods_refuse_text_with_its_row(frame):
    with pytest.raises(ValueError, match='row 1, column "color": ".*" is not a number'):
        LassoRegressor().fit_table(as_arrow(frame[["x", "color", "y"]].dropna()), "y")


def test_a_column_of_too_many_texts_is_refused(frame, monkeypatch):
    monkeypatch.setattr(_core, "most_levels", 50)
    table = as_arrow(frame.assign(id=[f"id {k}" for k in range(200)]))
    with pytest.raises(ValueError, match=r'column "id": it has more than 50 different texts.*\n.*ignore=\[\'id\'\]'):
        ShrimpRegressor(**SETTINGS).fit_table(table, "y")
    monkeypatch.undo()
    with pytest.warns(UserWarning, match='"id" has 200 levels in 200 rows, none with 5 rows or more; it is ignored'):
        fitted = ShrimpRegressor(**SETTINGS).fit_table(table, "y")
    assert "id" not in fitted.feature_names_in_


def test_a_csv_column_of_two_types_is_refused_with_the_line_and_the_fix(tmp_path):
    lines = ["a,c,y", *(f"{k},red,{k}" for k in range(20))]
    for cell, words in {"3,17,4": 'column "c": "17" is a number in a text column', "many,red,3": 'column "a": "many" is not a number'}.items():
        (tmp_path / "t.csv").write_text("\n".join([*lines, cell]) + "\n")
        with pytest.raises(ValueError, match=rf"line 22, {words}.*\nGive its cells one type, or ignore it with ignore=\["):
            ShrimpRegressor(**SETTINGS).fit_table(tmp_path / "t.csv", "y")


def counts(rows=200):
    random = np.random.default_rng(1)
    x, hours = random.uniform(-1, 1, rows), random.uniform(1, 10, rows)
    color = random.choice(list(EFFECTS), rows)
    y = random.poisson(hours * np.exp(x + 0.3 * np.array([EFFECTS[one] for one in color])))
    return pandas.DataFrame({"x": x, "color": color, "hours": hours, "y": y.astype(float)})


def test_an_exposure_is_a_column(tmp_path):
    frame = counts()
    settings = SETTINGS | {"loss": "poisson", "target_transform": "auto"}
    known = ShrimpRegressor(**settings).fit(frame[["x", "color"]], frame["y"], exposure=frame["hours"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    for source in (as_arrow(frame), write_parquet(frame, tmp_path), tmp_path / "t.csv"):
        fitted = ShrimpRegressor(**settings).fit_table(source, "y", exposure="hours")
        assert list(fitted.feature_names_in_) == ["x", "color"]
        np.testing.assert_allclose(fitted.predict(frame[["x", "color"]]), known.predict(frame[["x", "color"]]), rtol=1e-9)


def test_an_exposure_that_is_none_is_refused(tmp_path):
    frame = counts(60)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for source in (as_arrow(frame), tmp_path / "t.csv"):
        with pytest.raises(ValueError, match="exposure applies to counts, but the loss is squared"):
            ShrimpRegressor(**SETTINGS).fit_table(source, "y", exposure="hours")
        with pytest.raises(ValueError, match='no column "hour" to use as exposure'):
            ShrimpRegressor(loss="poisson").fit_table(source, "y", exposure="hour")
    bad = as_arrow(frame.assign(hours=0.0))
    with pytest.raises(ValueError, match="row 1: the exposure 0 is not a number above 0"):
        ShrimpRegressor(loss="poisson").fit_table(bad, "y", exposure="hours")


def test_days_are_those_of_python():
    table = pyarrow.table({"d": pyarrow.array([datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29)])})
    from shrimp._arrow_columns import ArrowColumns

    days = ArrowColumns(table.schema, ["d"], None, None).read(table["d"].combine_chunks(), "d", 1)
    assert days[[0, 2]].tolist() == [-1.0, (datetime.date(2024, 2, 29) - datetime.date(1970, 1, 1)).days] and np.isnan(days[1])
