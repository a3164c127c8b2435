"""Help fits on the screen, stands in columns and says what people need."""

import re

import pytest

COMMANDS = [
    [],
    ["fit"],
    ["predict"],
    ["evaluate"],
    ["inspect"],
    ["export"],
    ["summarize"],
    ["merge"],
    ["update"],
    ["simplify"],
    ["sensitivity"],
    ["explain"], ["report"],
    ["path"],
    ["compare"],
    ["experiment"],
    ["theory"],
    *(["theory", name] for name in ("bound", "order-q", "eigenvalues", "coherence", "kernel-error")),
]


@pytest.fixture
def help_of(shrimp):
    def read(*arguments):
        run = shrimp(*arguments)
        assert run.returncode == 0 and run.stderr == ""
        return run.stdout.splitlines()

    return read


def entries(lines):
    """The text beside each option or command, put together again."""
    found = {}
    name = None
    for line in lines:
        start = re.match(r"  (-{0,2}[\w.]\S*)", line)
        if start:
            name = start[1].rstrip(",")
            found[name] = ""
        if name and line.startswith("  "):
            found[name] += " " + line.strip()
        else:
            name = None
    return found


def test_every_command_is_tested_here(help_of):
    for parent in ([], ["theory"]):
        lines = help_of(*parent, "--help")
        below = lines[lines.index("Commands:") + 1 :]
        names = [line.split()[0] for line in below if re.match(r"  \w", line)]
        assert names and all([*parent, name] in COMMANDS for name in names)


@pytest.mark.parametrize("flag", ["--help", "--help-all"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_line_of_help_is_wider_than_a_terminal(help_of, command, flag):
    lines = help_of(*command, flag)
    assert max(map(len, lines)) <= 80
    assert not any(line != line.rstrip() for line in lines)


@pytest.mark.parametrize("flag", ["--help", "--help-all"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_lines_that_go_on_start_where_the_first_one_does(help_of, command, flag):
    lines = help_of(*command, flag)
    rows = [line for line in lines if line.startswith("  ")]
    starts = {match.end() for line in rows if (match := re.match(r"  -?\S+(?:,? \S+)*  +(?=\S)", line))}
    assert len(starts) == 1
    column = starts.pop()
    for line in rows:
        assert re.match(r"  \S", line) or len(line) - len(line.lstrip()) == column, line


@pytest.mark.parametrize("command", ["fit", "path", "compare"])
def test_short_help_fits_on_two_screens_and_names_the_long_one(help_of, command):
    lines = help_of(command, "--help")
    assert len(lines) <= 100
    assert f"shrimp {command} --help-all" in " ".join(lines[-3:])


def test_short_help_of_a_fit_has_what_most_people_need(help_of):
    names = entries(help_of("fit", "--help"))
    for name in ("TRAIN.csv", "--target", "--ignore", "--method", "--max-order", "--include", "--validation", "--folds",
                 "--seed", "--threads", "--output", "--json", "--help-all"):  # fmt: skip
        assert name in names


@pytest.mark.parametrize("command", ["fit", "path", "compare"])
def test_long_help_has_every_option_of_the_options_page(help_of, repository, command):
    page = (repository / "docs" / "reference" / "options.md").read_text(encoding="utf-8")
    options = set(re.findall(r"^\| `(--[\w-]+)`", page, re.M)) - ({"--method"} if command == "compare" else set())
    long = entries(help_of(command, "--help-all"))
    assert len(options) > 25 and options <= long.keys()
    assert entries(help_of(command, "--help")).keys() < long.keys()


def test_every_option_of_a_fit_with_a_value_says_its_default_last(help_of, repository):
    page = (repository / "docs" / "reference" / "options.md").read_text(encoding="utf-8")
    long = entries(help_of("fit", "--help-all"))
    for name, value, default in re.findall(r"^\| `(--[\w-]+)` \| (.*?) \| (\S+) \|", page, re.M):
        assert value == "switch" or long[name].endswith(f"default {default}).")


def test_help_is_in_groups(help_of):
    headings = [line[:-1] for line in help_of("fit", "--help-all") if re.fullmatch(r"\S.*:", line)]
    words = ["data", "method", "term selection", "features", "pruning", "sparse", "kernel", "model selection", "machine", "output"]
    assert len(headings) == len(words) + 1
    for word, heading in zip(words, headings):
        assert word in heading.lower()


def test_commands_without_more_options_do_not_speak_of_more(help_of):
    assert not any("--help-all" in line for line in help_of("predict", "--help"))
    assert help_of("predict", "--help") == help_of("predict", "--help-all")


def test_help_says_what_must_be_given(help_of):
    assert "Usage: shrimp fit TRAIN.csv --target NAME [options]" in help_of("fit", "--help")
    assert entries(help_of("fit", "--help"))["--target"].endswith("(required).")
