"""Every method through the command line, against someone else's code or mathematics."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Lasso, LassoCV

from functions import write_csv
from model_matrix import matrix, predict, read_model

METHODS = [
    "auto",
    "shrimp",
    "min-l2",
    "srfe-s",
    "salsa",
    "ssam",
    "lasso",
    "imp-linear",
    "stlsq",
    "naive-prune",
    "random-prune",
    "krr",
    "harfe",
]


@pytest.fixture(scope="module")
def standardized(data):
    x, y = data
    return (x - x.mean(0)) / x.std(0), (y - y.mean()) / y.std()


def scaled_prediction(model, x):
    """In units of the scaled target."""
    return (predict(model, x) - model["scaling"]["target_mean"]) / model["scaling"]["target_scale"]


def assert_least_error_is_chosen(path, method):
    """Errors that are rounding of the target are equal, and so, to the default method, are those that their standard
    error does not tell apart or that rounding made of a clean fit: then the smaller model is taken."""
    chosen = path["steps"][path["chosen"]]
    least = min(path["steps"], key=lambda step: step["validation_mse"])
    tie = 30 * least["validation_mse"] if method == "auto" else 1e-30
    assert chosen["validation_mse"] <= max(least["validation_mse"], tie)
    assert chosen["validation_mse"] == least["validation_mse"] or chosen["basis_functions"] < least["basis_functions"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_yields_a_model_that_all_commands_read(method, shrimp, train, data, predictions, tmp_path):
    path = tmp_path / "model.json"
    options = ("--target", "y", "--method", method, "--features", 60, "--output", path, "--json", "-q")
    run = shrimp("fit", train, *options)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["method"] == method
    assert result["converged"]
    assert result["basis_functions"] <= result["basis_functions_drawn"]
    assert sum(term["fraction"] for term in result["terms"]) == pytest.approx(1)
    model = read_model(path)
    assert model["method"] == method
    np.testing.assert_allclose(predictions(path, train), predict(model, data[0]), rtol=1e-9, atol=1e-9)
    evaluated = json.loads(shrimp("evaluate", path, train, "--target", "y", "--json").stdout)
    assert evaluated["mse"] == pytest.approx(result["train_mse"], rel=1e-6, abs=1e-14)
    assert evaluated["r2"] > 0.2
    assert shrimp("inspect", path).stdout.startswith("y from 3 inputs")
    again = tmp_path / "again.json"
    assert shrimp("fit", train, *options[:-4], "--output", again, "-q", "--threads", 1).returncode == 0
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_chooses_by_folds_and_by_a_file(method, shrimp, train, tmp_path):
    """What was chosen has the least error of the path's candidates, and the model is that candidate."""
    for name, choosing in (("folds", ("--folds", 3)), ("file", ("--validation", train))):
        options = (train, "--target", "y", "--method", method, "--features", 60, *choosing, "--json", "-q")
        path = json.loads(shrimp("path", *options).stdout)
        assert_least_error_is_chosen(path, method)
        best = path["steps"][path["chosen"]]
        model = tmp_path / f"{name}.json"
        fitted = json.loads(shrimp("fit", *options, "--output", model).stdout)
        assert fitted["validation_mse"] == best["validation_mse"]
        assert fitted["basis_functions"] == best["basis_functions"]
        assert read_model(model)["options"]["validation"] == ("file" if name == "file" else "0.1")
        assert read_model(model)["options"]["folds"] == ("3" if name == "folds" else "0")


def test_an_option_that_the_method_does_nothing_with_is_refused(shrimp, train):
    run = shrimp("fit", train, "--target", "y", "--method", "lasso", "--threshold", 0.1)
    assert run.returncode == 2
    assert "threshold has no effect on method lasso" in run.stderr and "stlsq" in run.stderr


def test_the_size_of_a_dictionary_that_is_not_drawn_is_passed_over_with_a_word(shrimp, train):
    run = shrimp("fit", train, "--target", "y", "--method", "krr", "--features", 60, "--order", 2)
    assert run.returncode == 0
    assert "features has no effect on method krr" in run.stderr and "order has no effect on method krr" in run.stderr


def test_compare_gives_each_method_what_it_takes(shrimp, train):
    options = ("compare", train, "--target", "y", "--methods", "stlsq,lasso", "--lambda", 0.01, "--json", "-q")
    methods = json.loads(shrimp(*options, "--threshold", 0.1).stdout)["methods"]
    assert [row["error"] for row in methods] == [None, None]
    run = shrimp(*options, "--eta", 0.1)
    assert run.returncode == 2 and "eta has no effect on any of these methods" in run.stderr


@pytest.mark.parametrize("method", METHODS)
def test_path_shows_the_candidates_of_every_method(method, shrimp, train):
    run = shrimp("path", train, "--target", "y", "--method", method, "--features", 60, "--json", "-q", "--test", train)
    assert run.returncode == 0, run.stderr
    path = json.loads(run.stdout)
    assert_least_error_is_chosen(path, method)
    assert all(step["test_mse"] is not None for step in path["steps"])


@pytest.mark.parametrize("ratio", [0.5, 0.1, 0.01])
def test_lasso_on_the_inputs_is_scikit_learns(ratio, fit_model, train, standardized, tmp_path):
    X, y = standardized
    alpha = ratio * np.abs(X.T @ y).max() / len(y)
    fit_model(train, tmp_path / "m.json", "--method", "lasso", "--lambda", alpha, "--tolerance", 1e-12)
    model = read_model(tmp_path / "m.json")
    ours = np.zeros(X.shape[1])
    for feature in model["features"]:
        ours[feature["variables"][0]] = feature["identity"]
    theirs = Lasso(alpha=alpha, fit_intercept=False, tol=1e-14, max_iter=100000).fit(X, y).coef_

    def objective(c):
        return np.sum((X @ c - y) ** 2) / (2 * len(y)) + alpha * np.abs(c).sum()

    assert objective(ours) == pytest.approx(objective(theirs), rel=1e-8)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_lasso_chooses_the_penalty_that_scikit_learns_cross_validation_chooses(shrimp, data, tmp_path):
    x, y = data
    fitted, held = np.arange(40), np.arange(40, 60)
    write_csv(tmp_path / "t.csv", x[fitted], y[fitted])
    write_csv(tmp_path / "v.csv", x[held], y[held])
    penalties = np.geomspace(0.3, 1e-4, 30)
    theirs = LassoCV(alphas=penalties, cv=[(fitted, held)], fit_intercept=False, tol=1e-12, max_iter=10**6).fit(x, y)
    options = ("--method", "lasso", "--no-standardize", "--validation", tmp_path / "v.csv", "--tolerance", 1e-12)
    penalties = ",".join(map(repr, penalties.tolist()))
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", *options, "--lambda", penalties, "--json", "-q")
    result = json.loads(run.stdout)
    assert result["lambda"] == pytest.approx(theirs.alpha_)
    assert result["validation_mse"] == pytest.approx(theirs.mse_path_.min(), rel=1e-8)


@pytest.mark.parametrize(
    ("method", "own"),
    [
        ("srfe-s", ("--eta", 0.02, "--tolerance", 1e-10)),
        ("ssam", ("--lambda", 0.01, "--tolerance", 1e-10)),
        ("harfe", ()),
        ("stlsq", ("--threshold", 0.01)),
    ],
)
def test_a_dictionary_that_is_not_stored_gives_the_same_model(method, own, fit_model, train, data, tmp_path):
    options = ("--method", method, *own)
    kept = fit_model(train, tmp_path / "a.json", *options, "--storage", "keep")
    computed = fit_model(train, tmp_path / "b.json", *options, "--storage", "recompute")
    a, b = (predict(read_model(path), data[0]) for path in (kept, computed))
    np.testing.assert_allclose(a, b, atol=1e-5)


def test_lasso_works_on_the_dictionary_too(fit_model, train, data, tmp_path):
    options = ("--features", 60, "--order", 2, "--seed", 3)
    fit_model(train, tmp_path / "all.json", "--method", "min-l2", *options)
    lasso = ("--method", "lasso", "--basis", "fourier", "--lambda", 0.01, "--tolerance", 1e-12)
    fit_model(train, tmp_path / "lasso.json", *lasso, *options)
    model = read_model(tmp_path / "lasso.json")
    A, _ = matrix(read_model(tmp_path / "all.json"), data[0])
    y = (data[1] - data[1].mean()) / data[1].std()
    theirs = Lasso(alpha=0.01, fit_intercept=False, tol=1e-14, max_iter=1000000).fit(A, y)
    kept, c = matrix(model, data[0])

    def objective(residual, coefficients):
        return np.sum(residual**2) / (2 * len(y)) + 0.01 * np.abs(coefficients).sum()

    assert objective(kept @ c - y, c) == pytest.approx(objective(A @ theirs.coef_ - y, theirs.coef_), rel=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_krr_is_scikit_learns_kernel_ridge(weighted, fit_model, data, tmp_path):
    x, y = data
    weights = np.random.default_rng(5).integers(0, 4, len(y)) if weighted else np.ones(len(y))
    write_csv(tmp_path / "t.csv", np.column_stack([x, weights]), y)
    options = ("--method", "krr", "--gamma", 0.3, "--lambda", 0.01, "--no-standardize")
    fit_model(tmp_path / "t.csv", tmp_path / "m.json", *options, *(("--weights", "x4") if weighted else ()))
    model = read_model(tmp_path / "m.json")
    if not weighted:
        x = np.column_stack([x, weights])
    theirs = KernelRidge(kernel="rbf", gamma=0.3, alpha=0.01).fit(x, y, sample_weight=weights)
    np.testing.assert_allclose(predict(model, x), theirs.predict(x), rtol=1e-7, atol=1e-9)


def test_ridgeless_krr_interpolates(fit_model, train, data, tmp_path):
    fit_model(train, tmp_path / "m.json", "--method", "krr", "--gamma", 20, "--lambda", 0)
    np.testing.assert_allclose(predict(read_model(tmp_path / "m.json"), data[0]), data[1], atol=1e-8)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("gamma", ["0.2", "1/2q", "auto"])
def test_salsa_is_ridge_with_the_sum_over_subsets(order, gamma, fit_model, train, standardized, data, tmp_path):
    X, y = standardized
    options = ("--method", "salsa", "--order", order, "--gamma", gamma, "--lambda", 0.1)
    fit_model(train, tmp_path / "m.json", *options)
    bandwidth = 20 * len(y) ** -0.2
    g = {"0.2": 0.2, "1/2q": 1 / (2 * order), "auto": 1 / (2 * bandwidth**2)}[gamma]
    K = sum(
        np.exp(-g * ((X[:, None, S] - X[None, :, S]) ** 2).sum(2))
        for S in map(list, itertools.combinations(range(X.shape[1]), order))
    )
    expected = K @ np.linalg.solve(K + 0.1 * np.eye(len(y)), y)
    np.testing.assert_allclose(scaled_prediction(read_model(tmp_path / "m.json"), data[0]), expected, atol=1e-8)


def test_salsa_chooses_its_order(shrimp, tmp_path):
    x = np.random.default_rng(2).uniform(-1, 1, (150, 5))
    write_csv(tmp_path / "t.csv", x, x[:, 0] * x[:, 1] + x[:, 2])
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", "--method", "salsa", "--folds", 5, "--json", "-q")
    assert json.loads(run.stdout)["order"] == 2


def test_ssam_is_scikit_learns_lasso_on_all_sections(fit_model, train, standardized, data, tmp_path):
    X, y = standardized
    options = ("--method", "ssam", "--features", 100000, "--lambda", 0.02, "--gamma", 0.5, "--tolerance", 1e-10)
    fit_model(train, tmp_path / "m.json", *options, "--max-iterations", 1000000)
    supports = [list(S) for q in (1, 2) for S in itertools.combinations(range(X.shape[1]), q)]
    K = np.hstack([np.exp(-0.5 * ((X[:, None, S] - X[None, :, S]) ** 2).sum(2)) for S in supports])
    theirs = Lasso(alpha=0.02, fit_intercept=False, tol=1e-12, max_iter=1000000).fit(K, y)
    kept, c = matrix(read_model(tmp_path / "m.json"), data[0])

    def objective(residual, coefficients):
        return np.sum(residual**2) / (2 * len(y)) + 0.02 * np.abs(coefficients).sum()

    assert objective(kept @ c - y, c) == pytest.approx(objective(K @ theirs.coef_ - y, theirs.coef_), rel=1e-7)


def test_stlsq_is_pysindys(fit_model, tmp_path):
    pysindy = pytest.importorskip("pysindy")
    random = np.random.default_rng(7)
    x = random.normal(size=(80, 12))
    y = x @ np.where(np.arange(12) % 4 == 0, 1.5, 0.08) + 0.05 * random.normal(size=80)
    write_csv(tmp_path / "t.csv", x, y)
    for threshold, ridge in [(0.1, 0.05), (0.1, 0), (0.079, 0.5)]:
        options = ("--method", "stlsq", "--basis", "linear", "--no-standardize")
        fit_model(tmp_path / "t.csv", tmp_path / "m.json", *options, "--threshold", threshold, "--ridge", ridge)
        theirs = pysindy.STLSQ(threshold=threshold, alpha=ridge, max_iter=100, unbias=False).fit(x, y.reshape(-1, 1))
        ours = np.zeros(12)
        for feature in read_model(tmp_path / "m.json")["features"]:
            ours[feature["variables"][0]] = feature["identity"]
        np.testing.assert_allclose(ours, np.ravel(theirs.coef_), atol=1e-9)
        assert 0 < np.count_nonzero(ours) < 12


def test_coefficients_at_the_threshold_stay_whatever_their_rounding(shrimp, tmp_path):
    x = np.random.default_rng(0).normal(size=(200, 9))
    write_csv(tmp_path / "t.csv", x, x @ np.full(9, 0.1))
    for seed in range(4):
        options = ("--method", "stlsq", "--basis", "linear", "--no-standardize", "--threshold", 0.1, "--seed", seed)
        run = shrimp("fit", tmp_path / "t.csv", "--target", "y", *options, "--json", "-q")
        assert json.loads(run.stdout)["basis_functions"] == 9


def test_imp_linear_is_shrimp_on_the_inputs_one_column_at_a_time(fit_model, train, tmp_path):
    fit_model(train, tmp_path / "a.json", "--method", "imp-linear")
    fit_model(train, tmp_path / "b.json", "--method", "shrimp", "--basis", "linear", "--prune", "one")
    a, b = read_model(tmp_path / "a.json"), read_model(tmp_path / "b.json")
    assert a["features"] == b["features"]
    fit_model(train, tmp_path / "c.json", "--method", "imp-linear", "--prune", 0.5)
    assert read_model(tmp_path / "c.json")["options"]["prune"] == "0.5"


@pytest.fixture(scope="module")
def whole(fit_model, train, data, tmp_path_factory):
    """A and c of the minimum-norm solution on 60 weight vectors: the dictionary of seed 0."""
    path = fit_model(train, tmp_path_factory.mktemp("whole") / "m.json", "--method", "min-l2", "--order", 2)
    return matrix(read_model(path), data[0])


def columns_in(part, whole):
    return [int(np.argmin(np.abs(whole - column[:, None]).sum(0))) for column in part.T]


def test_naive_prune_keeps_coefficients_of_the_minimum_norm_solution(fit_model, train, data, whole, tmp_path):
    fit_model(train, tmp_path / "m.json", "--method", "naive-prune", "--order", 2)
    kept, c = matrix(read_model(tmp_path / "m.json"), data[0])
    np.testing.assert_allclose(c, whole[1][columns_in(kept, whole[0])], rtol=1e-7)
    dropped = np.delete(whole[1], columns_in(kept, whole[0]))
    assert len(dropped) == 0 or np.abs(dropped).max() <= np.abs(c).min() * (1 + 1e-9)


def test_srfe_s_has_the_least_l1_norm_and_keeps_the_largest(fit_model, train, data, standardized, whole, tmp_path):
    A, y = whole[0], standardized[1]
    options = ("--method", "srfe-s", "--order", 2, "--tolerance", 1e-9)
    fit_model(train, tmp_path / "m.json", *options, "--sparsity", "all")
    kept, c = matrix(read_model(tmp_path / "m.json"), data[0])
    np.testing.assert_allclose(kept @ c, y, atol=1e-7)
    n = A.shape[1]
    least = linprog(np.ones(2 * n), A_eq=np.hstack([A, -A]), b_eq=y)  # c = c⁺ − c⁻
    assert np.abs(c).sum() == pytest.approx(least.fun, rel=1e-6)

    fit_model(train, tmp_path / "m.json", *options, "--sparsity", "all", "--eta", 0.1 * data[1].std())
    kept, c = matrix(read_model(tmp_path / "m.json"), data[0])
    sigma = 0.1 * math.sqrt(len(y))
    residual = y - kept @ c
    assert np.linalg.norm(residual) == pytest.approx(sigma, rel=1e-7)
    dual = residual / np.abs(A.T @ residual).max()  # Any such point bounds the least norm from below.
    assert np.abs(c).sum() == pytest.approx(y @ dual - sigma * np.linalg.norm(dual), rel=1e-6)

    fit_model(train, tmp_path / "s.json", *options, "--sparsity", 10, "--eta", 0.1 * data[1].std())
    _, largest = matrix(read_model(tmp_path / "s.json"), data[0])
    assert len(largest) == 10
    np.testing.assert_allclose(np.sort(np.abs(largest)), np.sort(np.abs(c))[-10:], rtol=1e-6)


def test_thresholded_basis_pursuit_fits_the_kept_columns_again(fit_model, train, data, standardized, tmp_path):
    options = ("--method", "srfe-s", "--order", 2, "--sparsity", 10, "--refit")
    fit_model(train, tmp_path / "m.json", *options)
    kept, c = matrix(read_model(tmp_path / "m.json"), data[0])
    np.testing.assert_allclose(c, np.linalg.lstsq(kept, standardized[1], rcond=None)[0], rtol=1e-6)


def test_random_prune_has_the_sizes_of_shrimp_and_other_columns(shrimp, train):
    def sizes(method, seed):
        options = ("--method", method, "--features", 60, "--seed", seed, "--json", "-q")
        return json.loads(shrimp("path", train, "--target", "y", *options).stdout)["steps"]

    magnitude, chance = sizes("shrimp", 1), sizes("random-prune", 1)
    assert [step["basis_functions"] for step in magnitude] == [step["basis_functions"] for step in chance]
    assert [step["validation_mse"] for step in magnitude] != [step["validation_mse"] for step in chance]


def test_harfe_keeps_as_many_columns_as_it_was_told(fit_model, train, tmp_path):
    fit_model(train, tmp_path / "m.json", "--method", "harfe", "--sparsity", 7)
    model = read_model(tmp_path / "m.json")
    assert len(model["features"]) == 7
    assert all("sin" in feature and "phase" in feature for feature in model["features"])
    fit_model(train, tmp_path / "d.json", "--method", "harfe")
    assert len(read_model(tmp_path / "d.json")["features"]) == round(0.15 * 54)  # Of the rows that are not held out.


@pytest.mark.parametrize(
    "options",
    [
        ("--method", "srfe-s", "--eta", -1),
        ("--method", "srfe-s", "--sparsity", 121),
        ("--method", "harfe", "--sparsity", 0),
        ("--method", "lasso", "--lambda", -0.1),
        ("--method", "krr", "--gamma", -1),
        ("--method", "stlsq", "--threshold", -1),
        ("--method", "salsa", "--order", 4),
        ("--method", "imp-linear", "--basis", "fourier"),
        ("--method", "lasso", "--tolerance", 0),
        ("--method", "lasso", "--max-iterations", 0),
        ("--method", "nonsense"),
    ],
)
def test_bad_options_are_refused_before_work(options, shrimp, train, tmp_path):
    output = ("--output", tmp_path / "m.json")
    run = shrimp("fit", train, "--target", "y", "--features", 60, *options, *output)
    assert run.returncode == 2
    assert options[-2][2:] in run.stderr or options[-1] == "fourier"
    assert not (tmp_path / "m.json").exists()


def test_what_did_not_converge_is_no_model_unless_allowed(shrimp, train, tmp_path):
    path = tmp_path / "m.json"
    options = ("--method", "srfe-s", "--basis", "linear", "--output", path)  # 60 equations in 3 unknowns.
    run = shrimp("fit", train, "--target", "y", *options)
    assert run.returncode == 1
    assert "did not converge" in run.stderr and "gap" in run.stderr and "--eta" in run.stderr
    assert not path.exists()
    allowed = shrimp("fit", train, "--target", "y", *options, "--allow-unconverged", "--json", "-q")
    assert allowed.returncode == 0
    assert json.loads(allowed.stdout)["converged"] is False
    assert path.exists()


def test_a_singular_kernel_gives_the_least_norm_solution_and_a_warning(shrimp, data, tmp_path):
    x = np.concatenate([data[0], data[0]])
    y = np.concatenate([data[1], data[1] + 1e-7])  # Rows that are equal throughout would count as one.
    write_csv(tmp_path / "t.csv", x, y)
    options = ("--method", "krr", "--gamma", 20, "--lambda", 0, "--output", tmp_path / "m.json")
    run = shrimp("fit", tmp_path / "t.csv", "--target", "y", *options)
    assert run.returncode == 0 and "singular (rank 60 for 120 rows); the minimum-norm solution" in run.stderr
    np.testing.assert_allclose(predict(read_model(tmp_path / "m.json"), x), y, atol=1e-6)


def test_a_penalty_that_leaves_nothing_gives_the_mean(fit_model, predictions, train, data, tmp_path):
    fit_model(train, tmp_path / "m.json", "--method", "lasso", "--lambda", 1000)
    np.testing.assert_allclose(predictions(tmp_path / "m.json", train), data[1].mean(), rtol=1e-12)
