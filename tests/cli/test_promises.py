import fcntl
import json
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from functions import write_csv
from model_matrix import read_model


@pytest.fixture(scope="module")
def ishigami(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ishigami")
    subprocess.run([sys.executable, repository / "examples" / "ishigami.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def ishigami_models(fit_model, ishigami):
    """The example fitted with one thread and with two."""
    options = ["--order", "1-2", "--features", 2000]
    return [
        fit_model(ishigami / "ishigami_train.csv", ishigami / f"{threads}.json", *options, "--threads", threads)
        for threads in (1, 2)
    ]


@pytest.mark.parametrize("options", [[], ["--folds", 3], ["--method", "min-l2"], ["--frequency-distribution", "student-t"]])
def test_the_same_seed_gives_the_same_file_byte_for_byte(fit_model, train, tmp_path, options):
    files = [fit_model(train, tmp_path / name, "--seed", 3, *options).read_bytes() for name in ("a.json", "b.json")]
    assert files[0] == files[1]


def test_another_seed_gives_another_model(fit_model, train, tmp_path):
    files = [fit_model(train, tmp_path / f"{seed}.json", "--seed", seed) for seed in (3, 4)]
    assert read_model(files[0])["features"] != read_model(files[1])["features"]


def kept_columns(model):
    return [
        (feature["variables"], feature["weights"], [name for name in ("cos", "sin") if name in feature])
        for feature in read_model(model)["features"]
    ]


def test_one_and_two_threads_keep_the_same_columns_with_the_same_weights(ishigami_models):
    assert kept_columns(ishigami_models[0]) == kept_columns(ishigami_models[1])


def test_one_and_two_threads_predict_the_same_where_the_problem_is_well_posed(fit_model, predictions, ishigami):
    # Few columns of high frequency are far from dependent.
    options = ["--features", 90, "--sigma2", 4]
    table = ishigami / "ishigami_train.csv"
    one, two = (
        predictions(fit_model(table, ishigami / "well-posed.json", *options, "--threads", threads), table)
        for threads in (1, 2)
    )
    assert two == pytest.approx(one, rel=1e-9)


def test_the_effects_of_the_example_are_found(ishigami_models):
    leading = [term["variables"] for term in read_model(ishigami_models[0])["terms"][:3]]
    assert sorted(leading) == [[0], [0, 2], [1]]


def test_a_written_model_replaces_the_old_one_and_leaves_nothing_beside_it(fit_model, train, model, tmp_path):
    (tmp_path / "model.json").write_text("from before")
    fit_model(train, tmp_path / "model.json")
    assert (tmp_path / "model.json").read_bytes() == model.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def hang_up_by_default():
    """Tests that run under nohup hand down that SIGHUP is ignored, which programs respect."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="module")
def long_fit(binary, environment, tmp_path_factory):
    """Starts a fit whose path takes much longer than the tests wait."""
    table = tmp_path_factory.mktemp("long") / "table.csv"
    x = np.random.default_rng(0).normal(size=(1200, 8))
    write_csv(table, x, np.sin(x[:, 0] * x[:, 1]) + x[:, 2])

    def start(output, features=10000):
        arguments = ["fit", table, "--target", "y", "--features", str(features), "--prune", "0.02", "--output", output]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [binary, *arguments], env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=hang_up_by_default
        )

    return start


def wait_for_the_first_step(process):
    """Lines before say how the table was understood."""
    assert any("basis functions" in line for line in process.stderr)


def interrupt(process):
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)


def test_ctrl_c_ends_the_fit_soon_and_saves_the_best_model(shrimp, long_fit, tmp_path):
    """How soon is counted in steps, of which there would be hundreds: machines that have other work tell no time."""
    output = tmp_path / "model.json"
    with long_fit(output) as process:
        wait_for_the_first_step(process)
        interrupt(process)
        assert process.returncode == 130
        assert process.stdout.read() == ""
        after = process.stderr.read()
        assert "interrupted" in after
        assert after.count("basis functions") < 20
    assert shrimp("inspect", output).returncode == 0
    assert list(tmp_path.iterdir()) == [output]


def test_ctrl_c_that_ends_the_reader_of_a_pipe_too_saves_the_best_model(shrimp, long_fit, tmp_path):
    output = tmp_path / "model.json"
    with long_fit(output) as process:
        wait_for_the_first_step(process)
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        process.stderr.close()
        assert process.wait(timeout=60) == 130
    assert shrimp("inspect", output).returncode == 0


def test_ctrl_c_before_the_first_model_leaves_the_old_file(long_fit, tmp_path):
    output = tmp_path / "model.json"
    output.write_text("from before")
    with long_fit(output, features=40000) as process:
        time.sleep(0.3)
        interrupt(process)
        assert process.returncode == 130
    assert output.read_text() == "from before"
    assert list(tmp_path.iterdir()) == [output]


def test_a_signal_that_comes_twice_at_once_counts_once(shrimp, long_fit, tmp_path):
    """timeout sends its signal to the program and to its group; the second must not cost the model."""
    output = tmp_path / "model.json"
    with long_fit(output) as process:
        wait_for_the_first_step(process)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    assert shrimp("inspect", output).returncode == 0


@pytest.mark.parametrize("loss", ["logistic", "poisson", "huber"])
def test_ctrl_c_under_a_loss_saves_the_best_model(binary, environment, shrimp, tmp_path, loss):
    """From the first step on, which is long before the last."""
    x = np.random.default_rng(0).normal(size=(400, 4))
    table, output = tmp_path / "table.csv", tmp_path / "model.json"
    write_csv(table, x, (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype(int))
    arguments = ["fit", table, "--target", "y", "--method", "auto", "--loss", loss, "--output", output]
    pipe = subprocess.PIPE
    with subprocess.Popen([binary, *arguments], env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        wait_for_the_first_step(process)
        interrupt(process)
        assert process.returncode == 130
        assert "shrimp: interrupted.\n" in process.stderr.read()
    assert shrimp("predict", output, table).returncode == 0


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP], ids=lambda end: end.name)
def test_other_signals_that_end_programs_save_the_best_model_too(shrimp, long_fit, tmp_path, end):
    output = tmp_path / "model.json"
    with long_fit(output) as process:
        wait_for_the_first_step(process)
        process.send_signal(end)
        assert process.wait(timeout=60) == 130
    assert shrimp("inspect", output).returncode == 0
    assert list(tmp_path.iterdir()) == [output]


def wait_for_writing(folder, process):
    """Until a temporary file with something in it is there; False where the program was done before that was seen."""
    while process.poll() is None:
        for path in folder.glob("*.shrimp-part"):
            try:
                if path.stat().st_size > 0:
                    return True
            except FileNotFoundError:
                pass
    return False


def test_a_signal_while_the_model_is_written_waits_until_it_is_there(binary, environment, shrimp, train, tmp_path):
    output = tmp_path / "model.json"
    options = ["--method", "min-l2", "--features", "20000", "--output", output, "-q"]
    met = 0
    for _ in range(4):
        output.unlink(missing_ok=True)
        with subprocess.Popen([binary, "fit", train, "--target", "y", *options], env=environment, stdout=subprocess.DEVNULL) as process:
            if wait_for_writing(tmp_path, process):
                process.send_signal(signal.SIGTERM)
                met += 1
            assert process.wait(timeout=120) in (0, 130)
        assert list(tmp_path.iterdir()) == [output]
        assert output.read_text().endswith("]\n}\n")
    assert met > 0


def test_what_killed_programs_left_behind_goes(shrimp, train, fit_model, tmp_path):
    """But not what another program is writing: that has it locked."""
    output = tmp_path / "model.json"
    stale, used, other = (tmp_path / f"{name}.shrimp-part" for name in ("model.json.abcdefgh", "model.json.12345678", "b.json.abcdefgh"))
    for path in (stale, used, other):
        path.write_text("half")
    with open(used) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fit_model(train, output)
        assert sorted(tmp_path.iterdir()) == sorted([output, used, other])
    fit_model(train, output)
    assert sorted(tmp_path.iterdir()) == sorted([output, other])


def test_progress_that_nobody_reads_does_not_cost_the_model(binary, environment, shrimp, train, tmp_path):
    output = tmp_path / "model.json"
    command = '"$@" 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"'
    arguments = [binary, "fit", train, "--target", "y", "--features", "3000", "--prune", "0.05", "--output", output]
    run = subprocess.run(["bash", "-c", command, "bash", *arguments], env=environment, capture_output=True, text=True)
    assert run.stdout == "0\n"
    assert shrimp("inspect", output).returncode == 0


def test_a_program_whose_outputs_are_closed_ends_as_it_should(binary, environment, train, tmp_path):
    run = lambda close, *arguments: subprocess.run(["bash", "-c", f'exec "$@" {close}', "bash", binary, *arguments], env=environment).returncode
    output = tmp_path / "model.json"
    assert run("2>&-", "fit", train, "--target", "none") == 2
    assert run("2>&-", "fit", tmp_path / "none.csv", "--target", "y") == 1
    assert run("2>&- >&- <&-", "fit", train, "--target", "y", "--features", "60", "--output", output) == 1  # No room for its words.
    assert run("2>&- <&-", "fit", train, "--target", "y", "--features", "60", "--output", output) == 0
    assert json.loads(output.read_text())["target"] == "y"


@pytest.mark.parametrize("arguments", [["--help"], ["--help-all"], ["--version"], ["fit", "--help"], ["experiment", "--list"],
                                       ["theory", "bound", "--d", 10, "--s", 20, "--epsilon", 0.1]], ids=lambda arguments: " ".join(map(str, arguments)))  # fmt: skip
def test_what_cannot_be_printed_is_an_error(shrimp, arguments):
    with open("/dev/full", "w") as full:
        run = shrimp(*arguments, stdout=full)
    assert run.returncode == 1
    assert run.stderr.startswith("shrimp: cannot write standard output")


@pytest.mark.parametrize("command", [["inspect"], ["sensitivity"], ["report"], ["export", "--to", "c"], ["predict", "TABLE"],
                                     ["evaluate", "TABLE"], ["explain", "TABLE"]], ids=lambda command: command[0])  # fmt: skip
def test_results_that_cannot_be_printed_are_an_error(shrimp, model, train, command):
    name, *rest = command
    with open("/dev/full", "w") as full:
        run = shrimp(name, model, *[train if word == "TABLE" else word for word in rest], stdout=full)
    assert run.returncode == 1
    assert run.stderr.startswith("shrimp: cannot write standard output")


@pytest.mark.parametrize("constant, name", [(0, "x1"), (3, "y")])
def test_a_constant_column_is_warned_about_and_handled(shrimp, predictions, data, tmp_path, constant, name):
    columns = np.column_stack(data)
    columns[:, constant] = 5.0
    table, model = tmp_path / "table.csv", tmp_path / "model.json"
    write_csv(table, columns[:, :3], columns[:, 3])
    run = shrimp("fit", table, "--target", "y", "--features", 60, "--output", model)
    assert run.returncode == 0, run.stderr
    (warning,) = [line for line in run.stderr.splitlines() if "warning" in line]
    assert warning.startswith("shrimp: warning: ")
    assert f'"{name}"' in warning
    assert np.isfinite(predictions(model, table)).all()
    if name == "y":
        assert predictions(model, table) == pytest.approx(np.full(60, 5.0))


def test_what_does_not_fit_in_memory_is_refused_with_the_numbers(shrimp, train, tmp_path):
    output = tmp_path / "model.json"
    run = shrimp("fit", train, "--target", "y", "--features", 20000, "--memory", 0.02, "--storage", "keep",
                 "--output", output)
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("shrimp: ")
    needed, allowed = (float(number) for number in re.findall(r"([\d.]+) MiB", run.stderr))
    matrix = 60 * 40000 * 8 / 2**20
    taken = 57  # MiB, as GNU time tells of this fit.
    assert matrix < needed < 1.5 * taken
    assert allowed == 20.5
    fewer = int(re.search(r"fewer features \(at most (\d+)\)", run.stderr)[1])
    assert shrimp("fit", train, "--target", "y", "--features", fewer, "--memory", 0.02, "--storage", "keep").returncode == 0
    assert not output.exists()


def test_a_table_that_does_not_fit_in_memory_is_refused_with_the_numbers(shrimp, train):
    run = shrimp("fit", train, "--target", "y", "--memory", 1e-6)
    assert run.returncode == 1
    assert run.stderr.startswith("shrimp: ")
    assert "train.csv" in run.stderr
    held, allowed = re.search(r"contains (.*) or more, but only (.*) of memory", run.stderr).groups()
    assert held != allowed
