"""Words for true and false in tables."""

import numpy as np
import pytest

WORDS = {
    "true and false": ("true", "false"),
    "yes and no": ("yes", "no"),
    "capitals": ("TRUE", "FALSE"),
    "any case": ("Yes", "nO"),
    "in quotes": ('"True"', '"False"'),
}


@pytest.fixture(scope="module")
def switched():
    """40 rows: two inputs, a switch of 0 and 1, and a target that hangs on it."""
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (40, 2))
    on = random.integers(0, 2, 40)
    return x, on, np.where(on == 1, x[:, 0], -x[:, 1])


def write(path, switched, word, header=True):
    x, on, y = switched
    lines = ["x1,on,x2,y"] if header else []
    lines += [f"{float(a)!r},{word(k, v)},{float(b)!r},{float(t)!r}" for k, ((a, b), v, t) in enumerate(zip(x, on, y))]
    path.write_text("\n".join(lines) + "\n")
    return path


def digits(k, value):
    return str(value)


def assert_refused(run, *words):
    assert run.returncode == 1, run.stderr
    assert not run.stdout
    for word in words:
        assert word in run.stderr


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_words_for_true_and_false_are_one_and_zero(shrimp, fit_model, switched, tmp_path, words):
    plain = write(tmp_path / "plain.csv", switched, digits)
    table = write(tmp_path / "words.csv", switched, lambda k, value: words[0] if value else words[1])
    model = fit_model(plain, tmp_path / "plain.json")
    assert fit_model(table, tmp_path / "words.json").read_bytes() == model.read_bytes()
    assert shrimp("predict", model, table).stdout == shrimp("predict", model, plain).stdout
    assert shrimp("evaluate", model, table).stdout == shrimp("evaluate", model, plain).stdout


def test_words_may_stand_beside_one_and_zero_and_each_other(fit_model, switched, tmp_path):
    plain = write(tmp_path / "plain.csv", switched, digits)
    names = [("true", "false"), ("1", "0"), ("yes", "no")]
    table = write(tmp_path / "words.csv", switched, lambda k, value: names[k % 3][0 if value else 1])
    assert fit_model(table, tmp_path / "a.json").read_bytes() == fit_model(plain, tmp_path / "b.json").read_bytes()


def test_a_target_of_words_is_one_and_zero(fit_model, switched, tmp_path):
    plain = write(tmp_path / "plain.csv", switched, digits)
    table = write(tmp_path / "words.csv", switched, lambda k, value: "yes" if value else "no")
    models = [fit_model(file, tmp_path / f"{file.stem}.json", target="on") for file in (plain, table)]
    assert models[0].read_bytes() == models[1].read_bytes()


def test_words_in_the_first_row_of_a_table_without_header_are_no_names(fit_model, switched, tmp_path):
    plain = write(tmp_path / "plain.csv", switched, digits, header=False)
    table = write(tmp_path / "words.csv", switched, lambda k, value: "yes" if value else "no", header=False)
    models = [fit_model(file, tmp_path / f"{file.stem}.json", target="x4") for file in (plain, table)]
    assert models[0].read_bytes() == models[1].read_bytes()


def test_columns_may_be_called_yes_and_no(shrimp, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("yes,no\n" + "".join(f"{k},{k * k}\n" for k in range(20)))
    run = shrimp("fit", table, "--target", "no", "--features", 20, "--order", 1, "-q", "--json")
    assert run.returncode == 0, run.stderr
    assert '"yes"' in run.stdout


@pytest.mark.parametrize("other", ["2", "0.5", "-1", "1e3"])
@pytest.mark.parametrize("first", [True, False])
def test_words_beside_other_numbers_are_refused(shrimp, switched, tmp_path, other, first):
    row = 0 if first else 39
    table = write(tmp_path / "t.csv", switched, lambda k, value: other if k == row else "true" if value else "false")
    line, word = (3 if first else 2), ("true" if switched[1][1 if first else 0] else "false")
    for target, way_out in (("y", "--ignore on"), ("on", "--loss logistic")):
        run = shrimp("fit", table, "--target", target)
        assert_refused(run, f't.csv line {line}, column "on": "{word}" is not a number.\n', way_out)


def test_one_word_in_a_column_of_numbers_is_refused(shrimp, switched, tmp_path):
    table = write(tmp_path / "t.csv", switched, lambda k, value: "yes" if k == 20 else str(k))
    assert_refused(shrimp("fit", table, "--target", "y"), 't.csv line 22, column "on": "yes" is not a number.\n')


@pytest.mark.parametrize("other", ["maybe", "t", "f", "y", "n", "on", "truee", "yes no"])
def test_words_beside_other_text_are_refused(shrimp, switched, tmp_path, other):
    table = write(tmp_path / "t.csv", switched, lambda k, value: other if k == 20 else "yes" if value else "no")
    assert_refused(shrimp("fit", table, "--target", "y"), f't.csv line 22, column "on": "{other}" is not a number.\n')


def test_an_empty_cell_beside_words_is_missing(shrimp, switched, tmp_path):
    table = write(tmp_path / "t.csv", switched, lambda k, value: "" if k == 20 else "yes" if value else "no")
    run = shrimp("fit", table, "--target", "y", "--dry-run")
    assert run.returncode == 0, run.stderr
    assert "on      number         0 to 1; 1 missing\n" in run.stdout


def test_words_in_new_rows_are_held_to_the_same(shrimp, fit_model, switched, tmp_path):
    model = fit_model(write(tmp_path / "plain.csv", switched, digits), tmp_path / "model.json")
    table = tmp_path / "new.csv"
    table.write_text("x1,on,x2,y\n0.5,yes,0.5,1\n0.5,3,0.5,1\n")
    for command in ("predict", "evaluate"):
        assert_refused(shrimp(command, model, table), 'new.csv line 2, column "on": "yes" is not a number.\n')


def test_words_far_apart_in_a_large_table_are_found(shrimp, tmp_path):
    table = tmp_path / "large.csv"
    rows = ["0.123456789,1,0.987654321\n"] * 200_000
    rows[199_000] = "0.1,no,0.2\n"
    table.write_text("x1,on,y\n" + "".join(rows))
    run = shrimp("fit", table, "--target", "y", "--features", 5, "--order", 1, "-q")
    assert run.returncode == 0, run.stderr
    rows[5] = "0.1,7,0.2\n"
    table.write_text("x1,on,y\n" + "".join(rows))
    run = shrimp("fit", table, "--target", "y", "--features", 5, "--order", 1, "-q")
    assert_refused(run, 'large.csv line 199002, column "on": "no" is not a number.\n')
