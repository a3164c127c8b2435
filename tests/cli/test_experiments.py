"""The paper's experiments at small sizes: shape and sanity, not numbers."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

NAMES = [
    "table2",
    "table3",
    "table4",
    "table5",
    "fig-time",
    "fig-robust",
    "fig-support",
    "fig-role",
    "fig-naive",
    "fig-high-order",
    "fig-spectrum",
    "fig-variance",
    "fig-kernel",
]
NEED_DATA = {"table3", "fig-robust"}
FIGURES = [name for name in NAMES if name.startswith("fig")] + ["table5"]
DATA = os.environ.get("SHRIMP_DATA", "")


def run_or_skip(shrimp, output, name, *options):
    if name in NEED_DATA and not DATA:
        pytest.skip("SHRIMP_DATA names no folder of data sets")
    data = ("--data", DATA) if name in NEED_DATA else ()
    run = shrimp("experiment", name, "--quick", "--output", output, *data, *options)
    assert run.returncode == 0, run.stderr
    return run


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return tmp_path_factory.mktemp("experiments")


class Images(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href"):
                self.links.append(value)


def test_the_list_names_every_experiment(shrimp):
    run = shrimp("experiment", "--list")
    assert [line.split()[0] for line in run.stdout.splitlines()] == [*NAMES, "all"]


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_writes_results_a_page_and_its_pictures(name, shrimp, output):
    run = run_or_skip(shrimp, output, name)
    assert run.stdout.strip() == f"{output}/{name}/index.html"
    folder = output / name
    lines = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert lines and all(line["seconds"] >= 0 for line in lines)
    assert not [line["key"] for line in lines if "error" in line["result"]]
    assert len({line["key"] for line in lines}) == len(lines)
    page = (folder / "index.html").read_text()
    links = Images()
    links.feed(page)
    for link in links.links:
        assert (folder / link).resolve().exists(), link
    pictures = [link for link in links.links if link.endswith(".svg")]
    assert bool(pictures) == (name in FIGURES)
    for picture in pictures:
        assert xml.etree.ElementTree.parse(folder / picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert ".png" not in page
    assert not list(folder.glob("*.png"))
    assert (folder / "index.md").read_text().startswith("# ")
    assert f'href="{name}/index.html"' in (output / "index.html").read_text()


def test_a_second_run_computes_nothing_and_keeps_the_page(shrimp, output):
    run_or_skip(shrimp, output, "fig-kernel")
    page = (output / "fig-kernel" / "index.html").read_bytes()
    lines = (output / "fig-kernel" / "runs.jsonl").read_bytes()
    again = run_or_skip(shrimp, output, "fig-kernel")
    assert again.stderr == ""
    assert (output / "fig-kernel" / "index.html").read_bytes() == page
    assert (output / "fig-kernel" / "runs.jsonl").read_bytes() == lines


def test_a_stopped_experiment_goes_on_where_it_was(shrimp, output, tmp_path):
    run_or_skip(shrimp, output, "fig-kernel")
    lines = (output / "fig-kernel" / "runs.jsonl").read_text().splitlines()
    folder = tmp_path / "fig-kernel"
    folder.mkdir()
    (folder / "runs.jsonl").write_text("\n".join([*lines[:4], lines[4][:30]]))  # Cut short within the fifth line.
    run = run_or_skip(shrimp, tmp_path, "fig-kernel")
    assert len(run.stderr.splitlines()) == len(lines) - 4
    assert "1 of 11" in run.stderr


def test_the_support_of_a_simple_function_is_recovered(shrimp, output):
    run_or_skip(shrimp, output, "fig-support")
    result = json.loads((output / "fig-support" / "runs.jsonl").read_text())["result"]
    best = min(range(len(result["test_mse"])), key=result["test_mse"].__getitem__)
    names = [f"{function} x{j}" for j in range(1, 6) for function in ("cos", "sin")]
    kept = {name for name, weight in zip(names, result[f"weights {best}"]) if weight > 0}
    assert kept == {"sin x2", "cos x3", "sin x4"}


def test_the_largest_eigenvalue_falls_along_shrimp_and_not_at_random(shrimp, output):
    run_or_skip(shrimp, output, "fig-spectrum")
    results = [json.loads(line) for line in (output / "fig-spectrum" / "runs.jsonl").read_text().splitlines()]
    fall = {}
    for line in results:
        columns, largest = line["result"]["basis_functions"], line["result"]["lambda_max"]
        middle = next(k for k, count in enumerate(columns) if count <= 63)
        fall[line["key"]] = largest[middle] / largest[0]
    shrimp_fall = next(value for key, value in fall.items() if "SHRIMP, σ² = 1/q" in key)
    random_fall = next(value for key, value in fall.items() if "random pruning, σ² = 1/q" in key)
    assert shrimp_fall < 0.8 * random_fall
    assert 0.6 < random_fall < 1.4


def test_bad_names_and_folders_are_refused(shrimp, tmp_path):
    run = shrimp("experiment", "table9", "--output", tmp_path)
    assert run.returncode == 2 and "table9" in run.stderr and "table" in run.stderr.splitlines()[1]
    assert shrimp("experiment", "--output", tmp_path).returncode == 2
    run = shrimp("experiment", "table3", "--output", tmp_path)
    assert run.returncode == 2 and "--data" in run.stderr
    (tmp_path / "file").write_text("")
    run = shrimp("experiment", "fig-kernel", "--quick", "--output", tmp_path / "file")
    assert run.returncode == 1 and "file" in run.stderr
    assert shrimp("experiment", "fig-kernel", "--runs", 0).returncode == 2


def title_in_a_browser(page, html):
    """Of a page beside `page`, once its scripts ran."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("there is no chromium")
    probe = page.with_name("probe.html")
    probe.write_text(html)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"]
    dump = subprocess.run([browser, *flags, probe.as_uri()], capture_output=True, text=True, timeout=60).stdout
    probe.unlink()
    return re.search(r"<title>(.*?)</title>", dump)[1]


def test_pages_open_in_a_browser_without_errors_or_missing_pictures(shrimp, output):
    for name in ("table2", "fig-role", "fig-support"):
        run_or_skip(shrimp, output, name)
    for page in [output / "index.html", *sorted(output.glob("*/index.html"))]:
        # Sizes of pictures are known only once they were drawn.
        script = (
            "<script>window.onerror=m=>document.title='ERROR '+m;window.onload=()=>{const b=[...document.images]"
            ".filter(i=>!i.complete||i.naturalWidth==0);document.title=b.length?'MISSING '+b[0].src:'FINE '"
            "+document.images.length}</script>"
        )
        title = title_in_a_browser(page, page.read_text().replace("<head>", "<head>" + script))
        assert title.startswith("FINE"), f"{page}: {title}"


CHECK_OF_TEXTS = """
const complaints = [];
for (const chart of document.querySelectorAll("svg")) {
  const page = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  texts.forEach(([text, box], k) => {
    const inside = box.left >= page.left && box.right <= page.right && box.top >= page.top && box.bottom <= page.bottom;
    if (!inside || box.width == 0) complaints.push(text + " leaves the page");
    for (const [other, b] of texts.slice(k + 1)) {  // Boxes are higher than the letters in them.
      const apart = box.right <= b.left || b.right <= box.left || box.bottom <= b.top + 2 || b.bottom <= box.top + 2;
      if (!apart) complaints.push(text + " covers " + other);
    }
  });
}
document.title = document.querySelectorAll("text").length + " texts. " + complaints.join("; ");
"""


def test_texts_of_charts_stay_on_the_page_and_apart_in_a_browser(shrimp, output):
    """Their widths are reckoned from a table; a browser has the font."""
    for name in FIGURES:
        if name not in NEED_DATA:
            run_or_skip(shrimp, output, name)
    charts = "".join(path.read_text() for path in sorted(output.glob("*/*.svg")))
    head = '<!DOCTYPE html><meta charset="utf-8"><title></title>'
    title = title_in_a_browser(output / "index.html", f"{head}{charts}<script>{CHECK_OF_TEXTS}</script>")
    count, complaints = title.split(" texts.")
    assert int(count) > 100
    assert complaints.strip() == ""
