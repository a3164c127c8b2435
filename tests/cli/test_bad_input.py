import contextlib
import json
import os
import subprocess

import pytest

from functions import write_csv
from model_matrix import read_model

HEADER = "x1,x2,y\n"
ROWS = "".join(f"{k / 10},{k * k / 100},{k / 7}\n" for k in range(12))
TABLE = HEADER + ROWS


def assert_refused(run, code, *words):
    assert run.returncode == code, run.stderr
    assert not run.stdout
    lines = run.stderr.splitlines()
    # Beginning with the message also shows that no work was started: progress would come first.
    assert lines[0].startswith("shrimp: ")
    assert sum(line.startswith("shrimp: ") for line in lines) == 1
    for word in words:
        assert str(word) in run.stderr


@pytest.fixture
def existing(tmp_path):
    """A file from before, which must not be touched, alone in its folder."""
    path = tmp_path / "out" / "model.json"
    path.parent.mkdir()
    path.write_bytes(b"from before")
    yield path
    assert path.read_bytes() == b"from before"
    assert list(path.parent.iterdir()) == [path]


@pytest.fixture
def refuse_fit(shrimp, existing, tmp_path):
    def fit(text, code, words, *options, target="y"):
        table = tmp_path / "table.csv"
        table.write_bytes(text if isinstance(text, bytes) else text.encode())
        run = shrimp("fit", table, "--target", target, "--output", existing, *options)
        assert_refused(run, code, *words)

    return fit


BAD_TABLES = {
    "empty file": ("", ["table.csv", "empty"]),
    "only blank lines": ("\n \n\r\n", ["table.csv", "empty"]),
    "header only": (HEADER, ["table.csv", "no row"]),
    "header without a line end": ("x1,x2,y", ["table.csv", "no row"]),
    "short row": (TABLE + "1,2\n", ["table.csv line 14", "2 cells", "3"]),
    "long row": (HEADER + "1,2,3,4\n" + ROWS, ["table.csv line 2", "4 cells", "3"]),
    "text cell": (TABLE + "1,abc,3\n", ["table.csv line 14", '"x2"', '"abc"']),
    "text in the target": (TABLE + "1,2,n/a\n", ["table.csv line 14", '"y"', '"n/a"']),
    "text after a number": (TABLE + "1,2kg,3\n", ["table.csv line 14", '"x2"', '"2kg"']),
    "empty cell": (TABLE + "1,2,\n", ["table.csv", '"y"', "missing in line 14", "--drop-missing-target"]),
    "nan": (TABLE + "1,2,NaN\n2,3,NA\n", ["table.csv", '"y"', "missing in lines 14, 15"]),
    "inf": (TABLE + "-inf,2,3\n", ["table.csv line 14", '"x1"', '"-inf"']),
    "a number beyond double": (TABLE + "1,2,1e999\n", ["table.csv line 14", '"y"', '"1e999"']),
    "a line is counted though blank": (TABLE + "\n\n1,abc,3\n", ["table.csv line 16", '"x2"', '"abc"']),
    "open quote": (TABLE + '1,"2,3\n', ["table.csv line 14", "quote"]),
    "duplicate columns": ("x1,x1,y\n" + ROWS, ["table.csv", '"x1"', "1", "2"]),
    "target twice in the header": ("x1,y,y\n" + ROWS, ["table.csv", '"y"', "2", "3"]),
    "no text at all": (b"\x89PNG\0\0\0", ["table.csv", "it contains zero bytes, so it is not text"]),
    "UTF-16": (TABLE.encode("utf-16"), ["table.csv", "UTF-16"]),
    "one row": (HEADER + "1,2,3\n", ["one row"]),
}


@pytest.mark.parametrize("text, words", BAD_TABLES.values(), ids=BAD_TABLES)
def test_a_bad_table_is_refused_with_its_place(refuse_fit, text, words):
    refuse_fit(text, 1, words)


BAD_FLAGS = {
    "order 0": (["--order", "0"], ["order", '"0"']),
    "negative order": (["--order", "-1"], ["order", '"-1"']),
    "order above the inputs": (["--order", "3"], ["order 3", "2"]),
    "one of several orders above the inputs": (["--order", "1,2,9"], ["order 9", "2"]),
    "descending orders": (["--order", "2-1"], ["order", '"2-1"']),
    "order in words": (["--order", "two"], ["order", '"two"']),
    "no features": (["--features", "0"], ["features", '"0"']),
    "negative features": (["--features", "-5"], ["features", '"-5"']),
    "features beyond counting": (["--features", "9" * 30], ["features"]),
    "prune 0": (["--prune", "0"], ["prune", '"0"']),
    "prune 1": (["--prune", "1"], ["prune", '"1"']),
    "negative prune": (["--prune", "-.2"], ["prune", '"-.2"']),
    "prune nan": (["--prune", "nan"], ["prune", '"nan"']),
    "one bad rate of two": (["--prune", ".2,1.5"], ["prune", '".2,1.5"']),
    "one fold": (["--folds", "1"], ["folds", '"1"']),
    "more folds than rows": (["--folds", "13"], ["folds 13", "12 rows"]),
    "folds and validation": (["--folds", "3", "--validation", ".2"], ["folds", "validation"]),
    "validation 0": (["--validation", "0"], ["validation", '"0"']),
    "validation 1": (["--validation", "1"], ["validation", '"1"']),
    "validation of nothing": (["--validation", ""], ["validation"]),
    "sigma2 0": (["--sigma2", "0"], ["sigma2", '"0"']),
    "rcond 1": (["--rcond", "1"], ["rcond", '"1"']),
    "negative threads": (["--threads", "-1"], ["threads", '"-1"']),
    "negative seed": (["--seed", "-1"], ["seed", '"-1"']),
    "dof 0": (["--frequency-distribution", "student-t", "--dof", "0"], ["dof", '"0"']),
    "unknown basis": (["--basis", "wavelet"], ["basis", '"wavelet"', "fourier"]),
    "unknown frequency distribution": (["--frequency-distribution", "gauss"], ["frequency-distribution", '"gauss"', "normal"]),
    "unknown method": (["--method", "magic"], ["method", '"magic"', "min-l2"]),
    "unknown flag": (["--bogus"], ["--bogus"]),
    "second table": (["other.csv"], ["other.csv"]),
    "target named twice": (["--target", "x1"], ["--target"]),
    "ignored column that is not there": (["--ignore", "x3"], ["table.csv", '"x3"', '"x1"']),
    "the target ignored": (["--ignore", "y"], ["table.csv", '"y"']),
    "quiet and verbose": (["-q", "-v"], ["quiet", "verbose"]),
}


@pytest.mark.parametrize("options, words", BAD_FLAGS.values(), ids=BAD_FLAGS)
def test_a_bad_flag_is_refused_by_name_and_value(refuse_fit, options, words):
    refuse_fit(TABLE, 2, words, *options)


@pytest.mark.parametrize("typed", ["Yield", "yeld", "yeild", "yields"])
def test_an_unknown_target_is_refused_with_the_nearest_names(refuse_fit, typed):
    refuse_fit("width,height,yield\n" + ROWS, 2, ["table.csv", f'"{typed}"', '"yield"'], target=typed)


def test_a_target_that_is_the_only_column_is_refused(refuse_fit):
    refuse_fit("y\n1\n2\n3\n", 2, ["table.csv", '"y"'])


def test_an_unknown_target_of_evaluate_is_a_wrong_flag(shrimp, model, train):
    assert_refused(shrimp("evaluate", model, train, "--target", "Y"), 2, "train.csv", '"Y"', '"y"')


@pytest.mark.parametrize("arguments", [[], ["fitt"], ["fit"], ["predict", "only-a-model.json"]])
def test_an_incomplete_or_unknown_command_is_refused(shrimp, arguments):
    assert_refused(shrimp(*arguments), 2, "--help")


def test_an_unknown_command_is_named(shrimp):
    assert_refused(shrimp("fitt"), 2, "fitt")


def test_json_and_the_model_cannot_both_go_to_standard_output(shrimp, train):
    assert_refused(shrimp("fit", train, "--target", "y", "--json", "--output", "-"), 2, "json", "output")


@pytest.mark.parametrize("name", ["nosuch.csv", "."])
def test_a_table_that_cannot_be_read_is_named(shrimp, existing, tmp_path, name):
    assert_refused(shrimp("fit", tmp_path / name, "--target", "y", "--output", existing), 1, tmp_path / name)


@pytest.mark.parametrize("name", ["nosuch.toml", "."])
def test_a_config_file_that_cannot_be_read_is_named(refuse_fit, tmp_path, name):
    refuse_fit(TABLE, 1, [tmp_path / name], "--config", tmp_path / name)


@pytest.mark.parametrize("text, words", [("sed = 3", ['"sed"']), ("seed = -3", ["seed", '"-3"'])])
def test_a_bad_entry_of_a_config_file_is_named(refuse_fit, tmp_path, text, words):
    config = tmp_path / "config.toml"
    config.write_text(text)
    refuse_fit(TABLE, 2, words, "--config", config)


@pytest.mark.parametrize("text", ["[{}b]\nseed = 3\n", "{}seed = 3\n"])
def test_names_of_config_files_are_not_nested_without_end(refuse_fit, tmp_path, text):
    """The reader of TOML would make lists of 10^10 names of these."""
    config = tmp_path / "config.toml"
    config.write_text(text.format("a." * 100_000))
    refuse_fit(TABLE, 2, [config, "more than 3 dotted components"], "--config", config)


def test_a_bad_variable_is_refused_like_a_flag(shrimp, train):
    run = shrimp("fit", train, "--target", "y", variables={"SHRIMP_FEATURES": "many"})
    assert_refused(run, 2, "features", '"many"')


@pytest.mark.parametrize(
    "header, missing", [("x1,other,y", ['"x2"']), ("x1,x2,z", ['"y"']), ("a,b,c", ['"x1"', '"y"'])]
)
@pytest.mark.parametrize("command, flag", [("fit", "--validation"), ("path", "--validation"), ("path", "--test")])
def test_a_second_table_with_other_columns_is_refused_with_the_missing_ones(
    shrimp, existing, tmp_path, command, flag, header, missing
):
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "second.csv").write_text(header + "\n" + ROWS)
    options = ["--target", "y", "--output", existing, flag, tmp_path / "second.csv"]
    assert_refused(shrimp(command, tmp_path / "table.csv", *options), 1, "second.csv", *missing)


def test_a_missing_second_table_is_named(refuse_fit):
    refuse_fit(TABLE, 1, ["nosuch.csv"], "--validation", "nosuch.csv")


def test_columns_in_another_order_give_the_same_predictions(predictions, model, data, train, tmp_path):
    x, y = data
    write_csv(tmp_path / "reversed.csv", x[:, ::-1], y, ["x3", "x2", "x1"])
    assert (predictions(model, tmp_path / "reversed.csv") == predictions(model, train)).all()


def test_missing_columns_are_named_beside_those_that_are_there(shrimp, model, existing, tmp_path):
    (tmp_path / "table.csv").write_text("x1,width\n1,2\n")
    run = shrimp("predict", model, tmp_path / "table.csv", "--output", existing)
    assert_refused(run, 1, "table.csv", '"x2"', '"x3"', "width")


def test_a_model_cut_short_anywhere_is_refused(shrimp, model, existing, train, tmp_path):
    whole = model.read_bytes()
    cut = tmp_path / "cut.json"
    # Only the last line end may go without loss.
    for size in [*range(0, len(whole) - 1, len(whole) // 60), len(whole) - 3, len(whole) - 2]:
        cut.write_bytes(whole[:size])
        assert_refused(shrimp("predict", cut, train, "--output", existing), 3, "cut.json")


DAMAGE = {
    "newer format": lambda m: m.update(format_version=99),
    "format version 0": lambda m: m.update(format_version=0),
    "format version as text": lambda m: m.update(format_version="1"),
    "another format": lambda m: m.update(format="other"),
    "no format": lambda m: m.pop("format"),
    "no features": lambda m: m.pop("features"),
    "features as an object": lambda m: m.update(features={}),
    "feature as a number": lambda m: m["features"].append(1),
    "target as a number": lambda m: m.update(target=1),
    "inputs as text": lambda m: m.update(inputs="x1"),
    "input as a number": lambda m: m["inputs"].__setitem__(0, 1),
    "an input too few": lambda m: m["inputs"].pop(),
    "scaling as a list": lambda m: m.update(scaling=[]),
    "scale 0": lambda m: m["scaling"]["input_scale"].__setitem__(0, 0),
    "negative target scale": lambda m: m["scaling"].update(target_scale=-1),
    "mean as text": lambda m: m["scaling"].update(target_mean="0"),
    "option as a number": lambda m: m["options"].update(seed=1),
    "result as text": lambda m: m["results"].update(rows="60"),
    "weight as text": lambda m: m["features"][0]["weights"].__setitem__(0, "1"),
    "weight as null": lambda m: m["features"][0]["weights"].__setitem__(0, None),
    "NaN weight": lambda m: m["features"][0]["weights"].__setitem__(0, float("nan")),
    "infinite weight": lambda m: m["features"][0]["weights"].__setitem__(0, float("inf")),
    "a weight too many": lambda m: m["features"][0]["weights"].append(1.0),
    "index out of range": lambda m: m["features"][0]["variables"].__setitem__(-1, 3),
    "huge index": lambda m: m["features"][0]["variables"].__setitem__(-1, 2**32),
    "negative index": lambda m: m["features"][0]["variables"].__setitem__(0, -1),
    "fractional index": lambda m: m["features"][0]["variables"].__setitem__(-1, 1.5),
    "index twice": lambda m: m["features"][0].update(variables=[1, 1]),
    "no index": lambda m: m["features"][0].update(variables=[], weights=[]),
    "coefficient as text": lambda m: m["features"][0].update(cos="1"),
    "no coefficient": lambda m: [m["features"][0].pop(name, None) for name in ("cos", "sin")],
    "term out of range": lambda m: m["terms"][0].update(variables=[7]),
    "fraction as text": lambda m: m["terms"][0].update(fraction="1"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_model_is_refused(shrimp, model, existing, train, tmp_path, damage):
    content = read_model(model)
    damage(content)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps(content))
    assert_refused(shrimp("predict", damaged, train, "--output", existing), 3, "damaged.json")


def test_a_newer_model_asks_for_a_newer_program(shrimp, model, tmp_path):
    newer = tmp_path / "newer.json"
    newer.write_text(model.read_text().replace('"format_version": 6', '"format_version": 12'))
    assert_refused(shrimp("inspect", newer), 3, "newer.json", "version 12", "newer Shrimp")


def test_a_weight_too_large_for_a_double_is_refused(shrimp, model, tmp_path):
    damaged = tmp_path / "damaged.json"
    damaged.write_text(model.read_text().replace('"weights":[', '"weights":[1e999,', 1))
    assert_refused(shrimp("inspect", damaged), 3, "damaged.json")


@pytest.mark.parametrize("command", [["inspect"], ["predict", "-"], ["evaluate", "-", "--target", "y"]])
@pytest.mark.parametrize("name", ["nosuch.json", "."])
def test_a_model_that_cannot_be_read_is_named(shrimp, tmp_path, command, name):
    subcommand, *rest = command
    assert_refused(shrimp(subcommand, tmp_path / name, *rest, stdin=TABLE), 3, tmp_path / name)


def test_a_table_is_no_model(shrimp, train):
    assert_refused(shrimp("inspect", train), 3, "train.csv")


@pytest.mark.parametrize("place", ["no-such-folder/model.json", "table.csv/model.json", "."])
def test_a_place_that_cannot_be_written_is_refused_before_the_fit(shrimp, tmp_path, place):
    (tmp_path / "table.csv").write_text(TABLE)
    run = shrimp("fit", tmp_path / "table.csv", "--target", "y", "--output", tmp_path / place)
    assert_refused(run, 1, tmp_path / place)
    assert (tmp_path / "table.csv").read_text() == TABLE


def test_a_place_that_cannot_be_written_is_refused_by_predict(shrimp, model, train, tmp_path):
    run = shrimp("predict", model, train, "--output", tmp_path / "no-such-folder" / "out.csv")
    assert_refused(run, 1, "out.csv")


@contextlib.contextmanager
def small_disk(folder):
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_full_disk_leaves_the_old_model_whole(shrimp, train, tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        old = disk / "model.json"
        old.write_bytes(b"from before")
        # The model keeps every column, and so is larger than the disk.
        options = ["--method", "min-l2", "--features", "2000", "-q", "--output", old]
        assert_refused(shrimp("fit", train, "--target", "y", *options), 1, "model.json", "No space left")
        assert old.read_bytes() == b"from before"
        assert list(disk.iterdir()) == [old]


def test_a_full_disk_leaves_the_old_predictions_whole(shrimp, model, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("x1,x2,x3\n" + "0.1,0.2,0.3\n" * 10_000)
    with small_disk(tmp_path / "disk") as disk:
        old = disk / "out.csv"
        old.write_bytes(b"from before")
        assert_refused(shrimp("predict", model, table, "--output", old), 1, "out.csv", "No space left")
        assert old.read_bytes() == b"from before"
        assert list(disk.iterdir()) == [old]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["fit", "path", "predict", "evaluate", "inspect"])
def test_a_full_standard_output_is_an_error(shrimp, model, train, command):
    arguments = {
        "fit": [train, "--target", "y", "--features", "20", "-q"],
        "path": [train, "--target", "y", "--features", "20", "-q"],
        "predict": [model, train],
        "evaluate": [model, train, "--target", "y"],
        "inspect": [model],
    }
    with open("/dev/full", "w") as full:
        run = shrimp(command, *arguments[command], stdout=full)
    assert_refused(run, 1, "standard output", "No space left")


# Squares of these overflow: the fit may refuse them, but not write what cannot be read, nor fall over.
@pytest.mark.parametrize("column", ["x1", "y"])
@pytest.mark.parametrize("factor", ["1e200", "1e308"])
@pytest.mark.parametrize("options", [[], ["--no-standardize"]], ids=["standardized", "as they are"])
def test_huge_numbers_are_fitted_or_refused_by_column(shrimp, tmp_path, column, factor, options):
    table, output = tmp_path / "table.csv", tmp_path / "model.json"
    rows = [[k / 10 - 0.5, (k * 7 % 12) / 12, k / 12] for k in range(12)]
    place = {"x1": 0, "y": 2}[column]
    for row in rows:
        row[place] *= float(factor)
    table.write_text(HEADER + "".join(",".join(map(repr, row)) + "\n" for row in rows))
    run = shrimp("fit", table, "--target", "y", "--features", "50", "-q", "--output", output, *options)
    if run.returncode == 0:
        assert shrimp("inspect", output).returncode == 0
        assert "nan" not in shrimp("predict", output, table).stdout
    else:
        assert_refused(run, 1, f'"{column}"')
        assert not output.exists()


def test_huge_rows_to_choose_by_are_no_crash(shrimp, tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "second.csv").write_text(HEADER + "1e308,1e308,1\n-1e308,1e308,1\n")
    run = shrimp("fit", tmp_path / "table.csv", "--target", "y", "--validation", tmp_path / "second.csv", "-q")
    if run.returncode != 0:
        assert_refused(run, 1, "second.csv")


def test_a_name_that_is_no_text_is_refused_or_read(shrimp, tmp_path):
    table = tmp_path / "table.csv"
    table.write_bytes(b"x\xed\xa0\x80,x2,y\n" + ROWS.encode())
    run = shrimp("fit", table, "--target", "y", "--features", "20", "-q", "--output", tmp_path / "model.json")
    if run.returncode != 0:
        assert_refused(run, 1, "table.csv")


@pytest.mark.parametrize(
    "content",
    ["root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/sbin/nologin\n", "-----BEGIN KEY-----\nsecretsecret\n", "secret, words\n", "secret\n"],
    ids=["colons", "key", "one line", "one word"],
)
def test_the_text_of_a_file_that_is_no_table_is_not_told(shrimp, model, tmp_path, content):
    path = tmp_path / "other"
    path.write_text(content)
    for arguments in (["fit", path, "--target", "y"], ["predict", model, path], ["fit", path, "--target", "y", "--ignore", "z"]):
        run = shrimp(*arguments)
        assert run.returncode == 1, run.stderr
        assert "does not look like a table" in run.stderr or "it has a header but no rows" in run.stderr
        told = (run.stdout + run.stderr).replace(str(path), "")
        assert not any(word in told for word in ("root", "KEY", "secret"))


def test_an_unclosed_quote_in_the_header_is_named(shrimp, tmp_path):
    (tmp_path / "open.csv").write_text('\n"x1,y\n1,2\n3,4\n')
    run = shrimp("fit", tmp_path / "open.csv", "--target", "y")
    assert run.returncode == 1 and "open.csv line 2: a quote is opened but not closed" in run.stderr


def test_many_unnamed_columns_are_few_warnings(shrimp, tmp_path):
    header, row = "," * 20_000, ",".join(["1"] * 20_000)
    (tmp_path / "wide.csv").write_text(f"y{header}\n2,{row}\n")
    run = shrimp("fit", tmp_path / "wide.csv", "--target", "y")
    warnings = [line for line in run.stderr.splitlines() if "has no name" in line or "without a name" in line]
    assert run.returncode == 1 and len(warnings) == 4 and "19997 more columns" in warnings[-1]


def test_predictions_of_very_wide_tables_take_time_by_their_width(shrimp, tmp_path):
    """Where every column is looked up among all, 400,000 take longer than a command is given here."""
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{k},{k % 7}\n" for k in range(30)))
    shrimp("fit", tmp_path / "t.csv", "--target", "y", "--order", 1, "--features", 10, "--output", tmp_path / "m.json")
    others = range(400_000)
    header, row = ",".join(f"other{k}" for k in others), ",".join("1" for _ in others)
    (tmp_path / "wide.csv").write_text(f"{header},x\n" + f"{row},3\n" * 6)
    run = shrimp("predict", tmp_path / "m.json", tmp_path / "wide.csv")
    narrow = shrimp("predict", tmp_path / "m.json", tmp_path / "t.csv").stdout.splitlines()
    assert run.returncode == 0 and run.stdout.splitlines()[1:] == [narrow[4]] * 6


def test_names_do_not_steer_the_terminal(shrimp, tmp_path):
    hidden = set("\x1b\x07\u009b\u202e\u2066\ufeff")
    name = "x\x1b[31m\x07\u009b\u202e\u2066\ufeff"
    (tmp_path / "t.csv").write_text(f"{name},y\n" + "".join(f"{k},{k % 7}\n" for k in range(30)), encoding="utf-8")
    run = shrimp("fit", tmp_path / "t.csv", "--target", "pressure")
    assert run.returncode == 2 and "x\\x1b[31m\\x07\\x9b\\u202e\\u2066\\ufeff" in run.stderr
    assert not set(run.stderr) & hidden
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", "--order", 1, "--features", 10, "--output", tmp_path / "m.json")
    shown = shrimp("inspect", tmp_path / "m.json")
    explained = shrimp("explain", tmp_path / "m.json", tmp_path / "t.csv", "--row", 1)
    for text in (run.stdout, run.stderr, shown.stdout, explained.stdout):
        assert not set(text) & hidden
    assert "x\\x1b[31m" in shown.stdout and "x\\x1b[31m" in explained.stdout
    assert json.loads((tmp_path / "m.json").read_text())["inputs"] == [name]
    for arguments in (["explain", "m.json", "t.csv"], ["explain", "m.json", "t.csv", "--row", 1, "--json"]):
        controller, terminal = os.openpty()
        shrimp(*[tmp_path / word if "." in str(word) else word for word in arguments], stdout=terminal)
        first = os.read(controller, 1000).decode(errors="replace")
        assert "\\u202e" in first and not set(first) & hidden
        os.close(controller)
        os.close(terminal)


def test_a_variable_with_a_bad_value_is_named(shrimp, train, tmp_path):
    run = shrimp("fit", train, "--target", "y", variables={"SHRIMP_PRUNE": "7"})
    assert run.returncode == 2 and run.stderr.startswith("shrimp: SHRIMP_PRUNE: prune")
    (tmp_path / "c.toml").write_text("prune = 7\n")
    run = shrimp("fit", train, "--target", "y", "--config", tmp_path / "c.toml")
    assert run.returncode == 2 and run.stderr.startswith(f"shrimp: {tmp_path / 'c.toml'}: prune")
    run = shrimp("fit", train, "--target", "y", "--prune", 7)
    assert run.returncode == 2 and run.stderr.startswith("shrimp: prune")


def test_links_are_followed_and_loops_refused(shrimp, train, tmp_path):
    (tmp_path / "dangling.json").symlink_to("target.json")
    assert shrimp("fit", train, "--target", "y", "--features", 20, "--output", tmp_path / "dangling.json", "-q").returncode == 0
    assert (tmp_path / "dangling.json").is_symlink() and (tmp_path / "target.json").is_file()
    (tmp_path / "a.json").symlink_to("b.json")
    (tmp_path / "b.json").symlink_to("a.json")
    run = shrimp("fit", train, "--target", "y", "--features", 20, "--output", tmp_path / "a.json", "-q")
    assert run.returncode == 1 and "a.json" in run.stderr and "symbolic links" in run.stderr
    assert (tmp_path / "a.json").is_symlink() and (tmp_path / "b.json").is_symlink()
