import json
import math

import numpy as np
import pytest

from functions import write_csv

HOLDS = ["bound", "--d", 10, "--s", 1, "--sigma", 0.4, "--epsilon", 1]
EVERY = {
    "bound": HOLDS,
    "order-q": ["order-q", "--d", 10, "--q", 1, "--gamma", 5, "--N", 10],
    "eigenvalues": ["eigenvalues", "--m", 20, "--N", 30, "--q", 2, "--runs", 2],
    "coherence": ["coherence", "--m", 50, "--d", 4, "--features", 60],
    "kernel-error": ["kernel-error", "--m", 50, "--d", 4, "--features", 600],
}


@pytest.fixture
def theory(shrimp):
    return lambda *arguments: shrimp("theory", *arguments)


@pytest.fixture
def theory_json(theory):
    def run(*arguments, code=0):
        result = theory(*arguments, "--json")
        assert result.returncode == code, result.stderr
        return json.loads(result.stdout)

    return run


@pytest.mark.parametrize("arguments", EVERY.values(), ids=EVERY)
def test_every_statement_prints_a_table_and_the_same_numbers_as_json(theory, theory_json, arguments):
    text = theory(*arguments)
    assert text.returncode == 0, text.stderr
    assert text.stderr == ""
    answer = theory_json(*arguments)
    assert answer["schema_version"] == 2
    assert answer["holds"]
    for condition in answer["conditions"]:
        assert set(condition) == {"name", "formula", "relation", "required", "given", "holds"}
        assert condition["formula"] in text.stdout
    for name, value in answer["constants"].items():
        assert name in text.stdout
        assert f"{value:.6g}" in text.stdout


def test_the_theorem_agrees_with_its_formula(theory_json):
    answer = theory_json(*HOLDS)
    N, m = answer["constants"]["N"], answer["constants"]["m"]
    root = 1 + 16 * math.sqrt(1 + math.sqrt(1.2 * math.log(m / 0.05))) + math.sqrt(math.log(20) / 2)
    assert N == math.ceil(4 * root**2)
    assert m == math.ceil(4 * (2 * 0.16 + 1) ** 10 * math.log(N**2 / 0.05))


def test_a_condition_that_fails_is_named_with_its_requirement(theory):
    run = theory(*HOLDS, "--N", 100, "--m", 140)
    assert run.returncode == 1
    assert "FAILS  number of samples" in run.stdout
    first, *rest = run.stderr.splitlines()
    assert first.startswith("shrimp: ") and "condition" in first
    assert any("number of features" in line and "requires ≥" in line and "given 100." in line for line in rest)
    assert any("number of samples" in line and "given 140." in line for line in rest)


def test_the_numbers_are_printed_as_json_even_if_a_condition_fails(theory_json):
    answer = theory_json(*HOLDS, "--m", 140, code=1)
    assert not answer["holds"]
    assert [c["holds"] for c in answer["conditions"] if c["name"] == "number of samples"] == [False]
    assert answer["bound"] is None  # Infinite, for which JSON has no number.


def test_a_given_constant_takes_the_place_of_the_proofs(theory_json):
    answer = theory_json(*HOLDS, "--C", 2, "--kappa-s1", 0, "--kappa-s2", 0)
    assert answer["constants"]["C"] == 2
    assert answer["constants"]["coefficient_error"] == pytest.approx(2 * math.sqrt(2))


def test_order_two_cannot_meet_the_corollary_with_a_small_error(theory):
    run = theory("order-q", "--d", 10, "--q", 2, "--sigma", 100, "--epsilon", 0.1)
    assert run.returncode == 1
    assert "scale of the frequencies" in run.stderr


def test_drawn_eigenvalues_keep_the_bounds_and_not_the_printed_one(theory_json):
    answer = theory_json("eigenvalues", "--m", 80, "--N", 80, "--q", 1, "--runs", 5)
    assert answer["largest_drawn"] >= answer["largest_at_least"]
    assert answer["smallest_drawn"] <= answer["smallest_at_most"]
    assert answer["largest_drawn"] < answer["constants"]["largest_at_least_published"]


def test_coherence_of_a_table_is_that_of_its_scaled_rows(theory_json, tmp_path):
    x = np.random.default_rng(3).normal(5, 2, (40, 3))
    write_csv(tmp_path / "table.csv", x, x[:, 0])
    given = ["--order", 1, "--features", 30, "--seed", 4]
    answer = theory_json("coherence", tmp_path / "table.csv", "--target", "y", *given)
    assert answer["constants"]["rows"] == 40
    assert answer["constants"]["inputs"] == 3
    assert answer["constants"]["welch"] == 0
    assert "coherence_limit" not in answer["constants"]
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    write_csv(tmp_path / "scaled.csv", scaled, x[:, 0])
    same = theory_json("coherence", tmp_path / "scaled.csv", "--target", "y", "--no-standardize", *given)
    assert same["coherence"] == pytest.approx(answer["coherence"], rel=1e-9)
    with_target = theory_json("coherence", tmp_path / "table.csv", *given)
    assert with_target["constants"]["inputs"] == 4


def test_coherence_fails_where_the_sparsity_asked_for_is_not_proved(theory):
    run = theory(*EVERY["coherence"], "--s", 3)
    assert run.returncode == 1
    assert "coherence < 4/(√41(2s-1))" in run.stderr


def test_the_measured_kernel_error_is_within_the_bound(theory_json):
    for order in (1, 2, 4):
        answer = theory_json(*EVERY["kernel-error"], "--order", order)
        assert answer["largest_measured"] < answer["constants"]["epsilon_on_rows"] < answer["bound"]


def test_a_kernel_bound_needs_no_rows(theory_json):
    answer = theory_json("kernel-error", "--d", 10, "--q", 2, "--N", 10000, "--diameter", 8)
    assert "largest_measured" not in answer
    assert 0 < answer["bound"] < 1


def test_answers_do_not_depend_on_threads(theory):
    for name in ("eigenvalues", "coherence", "kernel-error"):
        one, two = (theory(*EVERY[name], "--threads", count, "--json").stdout for count in (1, 2))
        assert one == two


WRONG_FLAGS = {
    "negative gamma": ([*HOLDS, "--gamma", -1], ["gamma -1", "above 0"]),
    "delta above 1": ([*HOLDS, "--delta", 2], ["delta 2", "between 0 and 1"]),
    "delta of 0": ([*HOLDS, "--delta", 0], ["delta 0", "between 0 and 1"]),
    "negative noise": ([*HOLDS, "--nu", -0.5], ["nu -0.5"]),
    "nan": ([*HOLDS, "--norm", "nan"], ["norm nan"]),
    "s above N": (["bound", "--d", 2, "--s", 5, "--N", 4], ["s 5", "4"]),
    "s of 0": (["bound", "--d", 2, "--s", 0, "--N", 4], ["s 0"]),
    "a broken N": (["bound", "--d", 2, "--s", 1, "--N", 4.5], ["N 4.5", "whole"]),
    "neither epsilon nor N": (["bound", "--d", 2, "--s", 1], ["epsilon and N"]),
    "no number": (["bound", "--d", 2, "--s", 1, "--sigma", "abc"], ["--sigma", "abc"]),
    "q above d": (["order-q", "--d", 2, "--q", 3, "--epsilon", 1], ["q 3", "2"]),
    "too many terms": (["order-q", "--d", 3, "--q", 2, "--K", 4, "--epsilon", 1], ["K 4", "C(3,2)"]),
    "p of 1": (["eigenvalues", "--m", 2, "--N", 3, "--q", 1, "--p", 1], ["p 1"]),
    "uneven supports": (["eigenvalues", "--m", 2, "--N", 7, "--q", 1, "--d", 3, "--runs", 1], ["N 7", "multiple"]),
    "no rows": (["coherence", "--m", 5], ["neither a table nor both of m and d", "m and d for random rows"]),
    "order above the inputs": (["coherence", "--m", 5, "--d", 2, "--order", 3], ["order 3", "2"]),
    "one feature": (["coherence", "--m", 5, "--d", 2, "--features", 1], ["only one"]),
    "negative sigma2": (["kernel-error", "--m", 5, "--d", 2, "--sigma2", -1], ["sigma2 -1"]),
    "a diameter without d": (["kernel-error", "--diameter", 1], ["diameter", "d"]),
    "more than memory": (["coherence", "--m", 1000000, "--d", 2, "--features", 20000], ["memory", "fewer"]),
    "no statement": ([], ["needs a command", "order-q"]),
    "unknown statement": (["lemma"], ["theory --help"]),
}


@pytest.mark.parametrize("arguments, words", WRONG_FLAGS.values(), ids=WRONG_FLAGS)
def test_a_wrong_flag_is_refused(theory, arguments, words):
    run = theory(*arguments)
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert run.stderr.startswith("shrimp: ")
    for word in words:
        assert word in run.stderr


def test_a_table_and_random_rows_exclude_each_other(theory, train):
    run = theory("coherence", train, "--m", 5)
    assert run.returncode == 2
    assert "table" in run.stderr


def test_bad_tables_are_refused(theory, tmp_path):
    assert theory("coherence", tmp_path / "nowhere.csv").returncode == 1
    path = tmp_path / "same.csv"
    path.write_text("a,b\n1,2\n1,2\n")
    run = theory("kernel-error", path)
    assert run.returncode == 1
    assert "all rows are equal" in run.stderr and "two different rows" in run.stderr
