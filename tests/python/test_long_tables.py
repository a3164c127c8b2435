"""Tables in files, fitted and predicted block by block."""

import gzip
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pandas
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
from shrimp import LassoRegressor, OutsideRangeWarning, ShrimpRegressor, _core, _tables

NAMES = ["speed", "load", "wind.angle", "wear"]


@pytest.fixture(scope="module")
def frame(data):
    X, y = data
    return pandas.DataFrame(X, columns=NAMES).assign(drift=y)


@pytest.fixture(scope="module")
def table(frame):
    return pyarrow.Table.from_pandas(frame)


@pytest.fixture
def fast():
    return ShrimpRegressor(method="shrimp", order="1-2", features=100)


def write_csv(frame, path):
    """Numbers are written so that they are read back to the last bit."""
    lines = [",".join(frame.columns), *(",".join(map(repr, row)) for row in frame.to_numpy().tolist())]
    text = "\n".join(lines) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif path.suffix == ".zst":
        path.write_bytes(pyarrow.compress(text.encode(), codec="zstd", asbytes=True))
    else:
        path.write_text(text)
    return path


def write_parquet(table, path):
    pyarrow.parquet.write_table(table, path, row_group_size=37)
    return path


def write_ipc(table, path):
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=41)
    return path


def write_feather(table, path):
    pyarrow.feather.write_feather(table, path, chunksize=53)
    return path


SOURCES = {
    "CSV": lambda table, folder: write_csv(table.to_pandas(), folder / "t.csv"),
    "gzip": lambda table, folder: write_csv(table.to_pandas(), folder / "t.csv.gz"),
    "zstd": lambda table, folder: write_csv(table.to_pandas(), folder / "t.csv.zst"),
    "Parquet": lambda table, folder: str(write_parquet(table, folder / "t.parquet")),
    "Feather": lambda table, folder: write_feather(table, folder / "t.feather"),
    "Arrow": lambda table, folder: write_ipc(table, folder / "t.arrow"),
    "dataset of two files": lambda table, folder: pyarrow.dataset.dataset(
        [
            str(write_parquet(table.slice(0, 50), folder / "a.parquet")),
            str(write_parquet(table.slice(50), folder / "b.parquet")),
        ]
    ),
    "table in memory": lambda table, folder: table,
}


@pytest.mark.parametrize("kind", SOURCES)
def test_a_table_gives_the_model_of_its_arrays(kind, fast, frame, table, tmp_path):
    X, y = frame[NAMES], frame["drift"]
    source = SOURCES[kind](table, tmp_path)
    known = ShrimpRegressor(method="shrimp", order="1-2", features=100).fit(X, y)
    fitted = fast.fit_table(source, "drift")
    assert fitted.model_.to_json() == known.model_.to_json()
    assert list(fitted.feature_names_in_) == NAMES and fitted.n_features_in_ == 4
    pandas.testing.assert_frame_equal(fitted.path_, known.path_)
    predictions = list(fitted.predict_table(source))
    assert np.array_equal(np.concatenate(predictions), known.predict(X))


def long_table(rows=50100):
    """More rows than are searched at once."""
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.uniform(-1, 1, (rows, 2)), columns=["a", "b"])
    return X.assign(y=np.sin(3 * X["a"]) + 0.5 * random.standard_normal(rows))


def test_a_long_table_gives_the_same_model_however_it_is_stored(tmp_path):
    frame = long_table()
    path = tmp_path / "long.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame), path, row_group_size=5000)
    settings = {"quick_error": True, "input_transform": "none", "target_transform": "identity", "max_order": 1}
    known = ShrimpRegressor(**settings).fit(frame[["a", "b"]], frame["y"])
    assert known.model_.results["rows_searched"] < known.model_.results["rows"] == len(frame)
    for source in (write_csv(frame, tmp_path / "long.csv"), path):
        fitted = ShrimpRegressor(**settings).fit_table(source, "y")
        assert fitted.model_.to_json() == known.model_.to_json()
        blocks = list(fitted.predict_table(source))
        assert [len(block) for block in blocks] == [8192] * 6 + [948]
        assert np.array_equal(np.concatenate(blocks), known.predict(frame[["a", "b"]]))


@pytest.mark.parametrize("sizes", [[1], [8192], [8193], [5, 8187, 1, 20000], [0, 3, 0, 8192]])
def test_blocks_do_not_depend_on_how_batches_are_cut(sizes):
    numbers = np.arange(sum(sizes), dtype=float)
    starts = np.cumsum([0, *sizes[:-1]])
    batches = [pyarrow.record_batch({"x": numbers[at : at + n], "g": numbers[at : at + n] // 3}) for at, n in zip(starts, sizes)]
    blocks = _tables.open_table(pyarrow.Table.from_batches(batches)).blocks(["x"], "g")
    copies = [(values[:, 0].copy(), groups.copy()) for values, groups in blocks]
    assert {len(values) for values, _ in copies[:-1]} <= {8192}
    assert np.array_equal(np.concatenate([values for values, _ in copies]), numbers)
    assert np.array_equal(np.concatenate([groups for _, groups in copies]), numbers // 3)


def test_the_index_of_a_dataframe_is_no_input(fast, frame, tmp_path):
    shuffled = frame.sample(frac=1, random_state=0)
    shuffled.to_parquet(tmp_path / "t.parquet")
    assert "__index_level_0__" in pyarrow.parquet.read_schema(tmp_path / "t.parquet").names
    assert list(fast.fit_table(tmp_path / "t.parquet", "drift").feature_names_in_) == NAMES
    shuffled.set_index("wear").to_parquet(tmp_path / "t.parquet")
    assert "wear" not in fast.fit_table(tmp_path / "t.parquet", "drift").feature_names_in_
    assert fast.fit_table(tmp_path / "t.parquet", "wear").model_.target == "wear"


@pytest.mark.parametrize("kind", ["CSV", "Parquet"])
def test_weights_and_groups_are_columns(kind, frame, tmp_path):
    random = np.random.default_rng(3)
    weights = random.integers(1, 4, len(frame)).astype(float)
    labels = [f"patient {k}" for k in random.integers(0, 20, len(frame))]
    known = LassoRegressor().fit(frame[NAMES], frame["drift"], sample_weight=weights, groups=labels)
    frame = frame.assign(weight=weights, patient=labels, note="text")
    path = tmp_path / ("t.csv" if kind == "CSV" else "t.parquet")
    if kind == "CSV":
        frame.to_csv(path, index=False)
    else:
        frame["patient"] = frame["patient"].astype("category")
        frame.to_parquet(path)
    fitted = LassoRegressor().fit_table(path, "drift", sample_weight="weight", groups="patient", ignore=["note"])
    assert fitted.model_.to_json() == known.model_.to_json()


def test_numbers_of_all_types_are_read(fast, frame, table):
    table = pyarrow.table(
        {
            "whole": pyarrow.array(range(150), pyarrow.int16()),
            "switch": [k % 3 == 0 for k in range(150)],
            "single": pyarrow.array(np.linspace(0, 1, 150, dtype=np.float32)),
            "few": pyarrow.array([1.5, 2.5, 4.0] * 50).dictionary_encode(),
            "y": np.linspace(0, 1, 150) ** 2,
        }
    )
    X = table.drop_columns(["y"]).to_pandas().astype(float)
    known = ShrimpRegressor(method="shrimp", order="1-2", features=100).fit(X, table["y"].to_pandas().rename("y"))
    assert fast.fit_table(table, "y").model_.to_json() == known.model_.to_json()


def replaced(table, name, values):
    return table.set_column(table.schema.names.index(name), name, values)


def with_null(table):
    return replaced(table, "load", pyarrow.array([None if k == 77 else 1.0 * k for k in range(150)]))


REFUSED = {
    "null": (with_null, 'row 78, column "load": the cell is empty'),
    "nan": (
        lambda table: replaced(table, "load", pyarrow.array([1.0] * 149 + [np.nan])),
        'row 150, column "load": "nan" is not a finite number',
    ),
    "text": (
        lambda table: replaced(table, "wear", pyarrow.array(["heavy"] * 150)),
        'row 1, column "wear": "heavy" is not a number',
    ),
    "digits as text": (
        lambda table: replaced(table, "wear", pyarrow.array(["1.5"] * 150)),
        'row 1, column "wear": "1.5" is text',
    ),
    "two of a name": (
        lambda table: table.rename_columns(["speed", "load", "load", "wear", "drift"]),
        'columns 2 and 3 are both named "load".\nGive every column a different name.',
    ),
    "no rows": (lambda table: table.slice(0, 0), "has no rows"),
    "no inputs": (lambda table: table.select(["drift"]), "has no column other than the target"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_cells_are_refused_with_their_place(kind, fast, table, tmp_path):
    change, words = REFUSED[kind]
    path = write_parquet(change(table), tmp_path / "bad.parquet")
    with pytest.raises(ValueError) as refused:
        fast.fit_table(path, "drift")
    assert str(path) in str(refused.value) and words in str(refused.value)


def test_a_bad_cell_of_a_csv_file_is_refused_with_the_way_out_in_python(fast, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b,y\n1,2,3\n2,oops,4\n")
    with pytest.raises(ValueError, match=r'line 3, column "b": "oops" is not a number\.\n.*ignore it with ignore=\[\'b\'\]\.$'):
        fast.fit_table(path, "y")


def test_missing_columns_are_named(fast, table, tmp_path):
    for source in (write_csv(table.to_pandas(), tmp_path / "t.csv"), table):
        with pytest.raises(ValueError, match='no column "drif" to use as target.\nDid you mean "drift"'):
            fast.fit_table(source, "drif")
        with pytest.raises(ValueError, match='no column "w" to use as weights'):
            fast.fit_table(source, "drift", sample_weight="w")
        with pytest.raises(ValueError, match='no column "w" to ignore'):
            fast.fit_table(source, "drift", ignore="w")
    fitted = fast.fit_table(table, "drift")
    for source in (write_csv(table.to_pandas()[["load", "wear"]], tmp_path / "few.csv"), table.select(["load", "wear"])):
        with pytest.raises(ValueError, match='lacks the columns "speed", "wind.angle"'):
            fitted.predict_table(source)


def test_files_that_are_no_tables_are_refused(fast, tmp_path):
    (tmp_path / "empty.parquet").touch()
    with pytest.raises(ValueError, match="empty.parquet is not a readable Parquet file"):
        fast.fit_table(tmp_path / "empty.parquet", "y")
    (tmp_path / "empty.csv").touch()
    with pytest.raises(ValueError, match="empty.csv"):
        fast.fit_table(tmp_path / "empty.csv", "y")
    for name in ("none.parquet", "none.csv"):
        with pytest.raises(OSError, match=name):
            fast.fit_table(tmp_path / name, "y")
    with pytest.raises(TypeError, match="is not a table that can be read in blocks"):
        fast.fit_table(pandas.DataFrame(), "y")


class Broken(Exception):
    pass


@pytest.mark.parametrize("mistake", [Broken("at row 40"), ValueError("order of rows"), pyarrow.ArrowInvalid("bad page")])
def test_what_reading_raises_is_raised(mistake, fast, table, monkeypatch):
    def batches(dataset, names):
        yield from table.select(names).slice(0, 40).to_batches()
        raise mistake

    monkeypatch.setattr(_tables, "_batches_of_dataset", batches)
    with pytest.raises(type(mistake)) as raised:
        fast.fit_table(pyarrow.dataset.dataset(table), "drift")
    assert raised.value is mistake


def test_an_interrupt_ends_reading(fast, table, monkeypatch):
    def batches(dataset, names):
        threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
        while True:
            yield from table.select(names).to_batches()

    monkeypatch.setattr(_tables, "_batches_of_dataset", batches)
    with pytest.raises(KeyboardInterrupt):
        fast.fit_table(pyarrow.dataset.dataset(table), "drift")


def test_the_error_without_pyarrow_names_it(fast, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow.dataset", None)
    with pytest.raises(ImportError, match="needs pyarrow, which is not installed.\nInstall it"):
        fast.fit_table(tmp_path / "t.parquet", "y")


def test_predictions_are_written_as_the_program_writes_them(fast, frame, table, tmp_path, shrimp_program):
    fitted = fast.fit_table(table, "drift")
    fitted.save(tmp_path / "model.json")
    source = write_csv(frame, tmp_path / "t.csv")
    assert fitted.predict_table(source, tmp_path / "p.csv") is None
    assert (tmp_path / "p.csv").read_text() == shrimp_program("predict", tmp_path / "model.json", source)
    fitted.predict_table(table, tmp_path / "p.parquet")
    written = pyarrow.parquet.read_table(tmp_path / "p.parquet")
    assert written.column_names == ["prediction"]
    assert np.array_equal(written["prediction"], fitted.predict(frame[NAMES]))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "p.csv", "p.parquet", "t.csv"]


def test_predictions_are_not_written_over_their_table(fast, frame, table, tmp_path):
    source = write_csv(frame, tmp_path / "t.csv")
    (tmp_path / "link.csv").symlink_to(source)
    content = source.read_bytes()
    with pytest.raises(ValueError, match="is both the table and the output"):
        fast.fit_table(table, "drift").predict_table(source, tmp_path / "link.csv")
    assert source.read_bytes() == content


def test_predictions_are_parquet_or_csv(fast, table, tmp_path):
    with pytest.raises(ValueError, match="Give the path of a Parquet or CSV file"):
        fast.fit_table(table, "drift").predict_table(table, tmp_path / "p.arrow")


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_a_file_of_predictions_is_whole_or_as_it_was(name, fast, table, tmp_path):
    fitted = fast.fit_table(table, "drift")
    (tmp_path / name).write_text("before")
    with pytest.raises(ValueError, match="row 78") as refused:
        fitted.predict_table(with_null(table), tmp_path / name)
    assert refused.value.__traceback__
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"


def test_rows_outside_the_training_range_are_warned_of_once(table):
    fitted = ShrimpRegressor(quick_error=True, max_order=1).fit_table(table, "drift")
    far = pyarrow.concat_tables([table, replaced(table, "speed", pyarrow.array([9.0] * 150))])
    with pytest.warns(OutsideRangeWarning, match="150 of 300 rows") as warned:
        list(fitted.predict_table(far))
    assert len(warned) == 1


def test_a_table_without_names_has_the_inputs_of_an_array(fast, data, tmp_path):
    X, y = data
    path = tmp_path / "plain.csv"
    path.write_text("\n".join(",".join(map(repr, row)) for row in np.column_stack([X, y]).tolist()))
    fitted = fast.fit_table(path, "x5")
    assert not hasattr(fitted, "feature_names_in_") and fitted.n_features_in_ == 4
    assert np.array_equal(np.concatenate(list(fitted.predict_table(path))), fitted.predict(X))


PEAKS = """
import resource, sys
from shrimp import ShrimpRegressor

fitted = ShrimpRegressor.load(sys.argv[1])
for path in sys.argv[2:]:
    print(sum(len(block) for block in fitted.predict_table(path)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_rows(fast, table, tmp_path):
    fast.fit_table(table, "drift").save(tmp_path / "model.json")
    paths = []
    for copies in (100, 5000):
        paths.append(tmp_path / f"{copies}.parquet")
        with pyarrow.parquet.ParquetWriter(paths[-1], table.schema, use_dictionary=False) as writer:
            for _ in range(copies // 100):
                writer.write_table(pyarrow.concat_tables([table] * 100))
    run = subprocess.run([sys.executable, "-c", PEAKS, tmp_path / "model.json", *paths], check=True, capture_output=True)
    short, long = (list(map(int, line.split())) for line in run.stdout.splitlines())
    assert (short[0], long[0]) == (15000, 750000)
    assert long[1] < short[1] + 16e3  # KiB; the rows have 24 MB.


def test_blocks_have_the_length_that_the_library_reads():
    assert _core.rows_of_a_block == 8192
