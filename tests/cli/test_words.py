"""scripts/words finds text that departs from the rules, and nothing else."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def check(*arguments):
    return subprocess.run([ROOT / "scripts" / "words", *arguments], capture_output=True, text=True)


def check_text(tmp_path, name, text, *arguments):
    path = tmp_path / name
    path.write_text(text)
    return check(path, *arguments)


LONG = "The model " + "very " * 23 + "well."


@pytest.mark.parametrize(
    ("name", "text", "rule", "phrase"),
    [
        ("page.md", "The share of x1 is 3 %.", "word", "share"),
        ("page.md", "The model\ntells the error.", "word", "tells"),
        ("page.md", "| term | chance |\n", "word", "chance"),
        ("page.md", "Of the inputs, three matter.", "opening", "Of"),
        ("page.md", "- The same holds for y.", "opening", "The same"),
        ("page.md", "What a term adds.", "opening", "What"),
        ("page.md", LONG, "length", "26 words"),
        ("page.md", "The color is blue.", "spelling", "color"),
        ("page.md", "Rows are standardized.", "spelling", "standardized"),
        ("page.md", "The width, 0: no limit.", "shorthand", ", 0: no"),
        ("code.hpp", "int a;  // The evidence\nint b;", "word", "evidence"),
        ("code.hpp", "// The rows that\n// belong together.\n", "word", "belong together"),
        ("code.cpp", 'throw Error("the fit "\n  "looks at the rows");', "word", "looks at"),
        ("code.cpp", 'o.option("--x", x_, "How many rows to read");', "opening", "How"),
        ("code.cpp", f'o.option("--x", x_, "{"row, " * 40}");', "help", "200 characters"),
        ("code.py", '"""The card."""', "word", "card"),
        ("code.py", "x = 1  # the law\n", "word", "law"),
        ("code.py", 'raise ValueError(f"the fit tells {x}")', "word", "tells"),
    ],
)
def test_each_kind_of_violation_is_found(tmp_path, name, text, rule, phrase):
    done = check_text(tmp_path, name, text)
    assert done.returncode == 1
    assert f'{name}:' in done.stdout and f': {rule}: "{phrase}"' in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "The columns of a table, the standard deviation and the fraction of variance."),
        ("page.md", "What is a term?\n\nA deviation from the paper."),
        ("page.md", "Run `shrimp fit --law cauchy`; see [the page](docs/share-of-chance.md)."),
        ("page.md", "```\nthe share of the card\n```\n"),
        ("page.md", "The verb summarize, `color` and the option --no-standardize."),
        ("page.md", "| " + "word " * 30 + "|"),
        ("code.hpp", '#include "evidence/of/the/card.hpp"\nchar c = \'"\';  // A letter.\n'),
        ("code.cpp", 'json["share"] = 1; auto x = 1\'000\'000;  // 10^6.\n'),
        ("code.py", 'x = {"share": 1, "chance": 2}\n'),
    ],
)
def test_names_code_tables_and_ordinary_words_are_allowed(tmp_path, name, text):
    done = check_text(tmp_path, name, text)
    assert done.returncode == 0, done.stdout


def test_a_line_of_the_list_allows_one_occurrence(tmp_path):
    page = tmp_path / "page.md"
    allowed = tmp_path / "allowed.txt"
    page.write_text("The law of large numbers.\n")
    allowed.write_text(f"{page} | law of large numbers | a theorem\n")
    assert check(page, "--allowed", allowed).returncode == 0
    page.write_text("The law of large numbers.\n\nAgain the law of large numbers.\n")
    assert check(page, "--allowed", allowed).returncode == 1
    allowed.write_text("no reason\n")
    assert "path | phrase | reason" in check(page, "--allowed", allowed).stderr


def test_counts_are_printed_by_folder_and_rule(tmp_path):
    done = check_text(tmp_path, "page.md", "It tells the share of x.", "--count")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].split()[:3] == ["total", "2", "2"]


@pytest.fixture(scope="module")
def lint():
    loader = importlib.machinery.SourceFileLoader("words", str(ROOT / "scripts" / "words"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("words", loader))
    loader.exec_module(module)
    return module


COMMENT, MESSAGE = "// The evidence of it all.\n", 'throw Error("the evidence of it all");\n'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        *((path, "The evidence of it all.\n") for path in (
            "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md", "experiments/README.md", "docs/index.md",
            "docs/how-to/new.md", "docs/reference/command-line.md", "docs/reference/python/displays.rst",
            "examples/gallery/GALLERY_HEADER.rst")),
        *((path, COMMENT) for path in ("include/shrimp/fit.hpp", "include/shrimp/version.hpp.in",
                                       "examples/cpp/fit_and_predict.cpp", "docs/options_page.cpp")),
        *((path, MESSAGE) for path in ("src/fit/fit.cpp", "src/export/sql.cpp", "src/report/html.cpp", "apps/shrimp/fit.cpp")),
        *((path, '"""The evidence of it all."""\n') for path in ("python/shrimp/_regressors.py", "examples/gallery/plot_01.py")),
        ("python/shrimp/_regressors.py", 'raise ValueError(f"the evidence of {x}")\n'),
        *((path, "# The evidence of it all.\n") for path in ("Makefile", "cmake/Needs.cmake", "scripts/setup")),
        ("scripts/setup", 'echo "the evidence of it all" >&2\n'),
        ("Makefile", '\t@echo "the evidence of it all"\n'),
    ],
)  # fmt: skip
def test_every_kind_of_text_for_users_is_checked(lint, path, text):
    assert [hit.phrase.lower() for hit in lint.hits_of(path, text=text)] == ["evidence"]


def test_no_file_for_users_is_left_out(lint):
    listed = [path for path in lint.files([]) if path.endswith((".md", ".rst"))]
    assert [path for path in listed if lint.reader_of(path, False) is None] == ["docs/reference/options.md"]
