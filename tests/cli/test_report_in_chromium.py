"""The page of `shrimp report` in a real browser: no complaints, hover, keyboard, dark, narrow, print."""

import re

import chromium
import numpy as np
import pytest

from functions import write_csv

pytestmark = pytest.mark.skipif(chromium.find() is None, reason="there is no chromium")


@pytest.fixture(scope="module")
def page(shrimp, tmp_path_factory):
    """Of a noisy fit with a jump, a curve, a pair, an input of three values and names that try to break out."""
    folder = tmp_path_factory.mktemp("chromium")
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (400, 4))
    x[:, 2] = np.round(x[:, 2])
    y = np.sin(2 * x[:, 0]) + x[:, 0] * x[:, 1] + x[:, 2] + x[:, 3] ** 2 + 0.1 * random.normal(size=400)
    names = '"<script>window.broken=1</script>",b {0},few,"a name so long that it cannot stand beside an axis in full",y'
    for name, rows in (("train", slice(0, 300)), ("test", slice(300, 400))):
        write_csv(folder / f"{name}.csv", x[rows], y[rows])
        lines = (folder / f"{name}.csv").read_text().splitlines()
        (folder / f"{name}.csv").write_text("\n".join([names, *lines[1:]]) + "\n")
    options = ["--target", "y", "--method", "auto", "--quick-error", "-q"]
    assert shrimp("fit", folder / "train.csv", *options, "--output", folder / "model.json").returncode == 0
    assert shrimp("path", folder / "train.csv", *options, "--output", folder / "path.csv").returncode == 0
    run = shrimp(
        "report", folder / "model.json", "--data", folder / "test.csv", "--path", folder / "path.csv",
        "--output", folder / "report.html",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser():
    with chromium.Browser() as browser:
        yield browser


@pytest.fixture
def shown(browser, page):
    """The browser with the page in it, which complains of nothing to the end."""
    browser.prefer("light")
    browser.size(1100, 900)
    browser.open(page)
    yield browser
    assert browser.problems == []
    assert browser.requests == [page.as_uri()]
    assert browser.evaluate("window.broken === undefined")


FIGURES = """[...document.querySelectorAll("figure")]"""


def place_of(browser, figure, across, down):
    """A point of the drawing in the window."""
    return browser.evaluate(
        f"""(() => {{ const svg = {FIGURES}[{figure}].querySelector("svg"); svg.scrollIntoView({{block: "center"}});
        const box = svg.getBoundingClientRect();
        return [box.left + {across} * box.width, box.top + {down} * box.height]; }})()"""
    )


def told(browser, figure):
    return browser.evaluate(f"""{FIGURES}[{figure}].querySelector("output").textContent""")


def titles(browser):
    return browser.evaluate(f"""{FIGURES}.map(figure => figure.querySelector("b").textContent)""")


def test_every_chart_tells_values_under_the_pointer(shown):
    names = titles(shown)
    assert len(names) >= 3 + 1 + 4 + 1
    for k, name in enumerate(names):
        assert told(shown, k) == ""
        shown.hover(*place_of(shown, k, 0.5, 0.5))
        text = told(shown, k)
        assert re.search(r"\d", text) and "{" not in text.replace("{0}", ""), name
        before = text
        shown.hover(*place_of(shown, k, 0.7, 0.4))
        assert told(shown, k) != before, name
        shown.hover(2, 2)
        assert told(shown, k) == ""


def test_the_curve_under_the_pointer_is_the_function(shown):
    k = next(k for k, name in enumerate(titles(shown)) if name.startswith("<script>"))
    points = {}
    for across in (0.3, 0.5, 0.8):
        shown.hover(*place_of(shown, k, across, 0.5))
        x, effect, low, high = map(float, re.findall(r"[-\d.]+", told(shown, k).replace("−", "-").split("</script>")[1]))
        assert low < effect < high
        points[x] = effect
    for x, effect in points.items():
        assert effect == pytest.approx(np.sin(2 * x), abs=0.15)


def test_the_keyboard_moves_through_a_chart(shown):
    shown.evaluate(f"{FIGURES}[0].focus()")
    shown.press("ArrowRight")
    first = told(shown, 0)
    shown.press("ArrowRight")
    assert told(shown, 0) not in ("", first)
    shown.press("ArrowLeft")
    assert told(shown, 0) == first
    shown.press("End")
    last = told(shown, 0)
    assert last != first
    shown.press("ArrowRight")
    assert told(shown, 0) == last
    assert shown.evaluate(f"getComputedStyle({FIGURES}[0].querySelector('.mark')).visibility") == "visible"
    shown.press("Escape")
    assert told(shown, 0) == ""
    k = titles(shown).index(next(name for name in titles(shown) if name.startswith("(")))
    shown.evaluate(f"{FIGURES}[{k}].focus()")
    shown.press("ArrowUp")
    middle = told(shown, k)
    shown.press("ArrowUp")
    up = told(shown, k)
    shown.press("ArrowRight")
    assert len({middle, up, told(shown, k)}) == 3


def test_tab_reaches_every_chart_and_shows_where_it_is(shown):
    shown.evaluate("document.body.focus()")
    reached = set()
    for _ in range(shown.evaluate("document.querySelectorAll('a, summary, figure').length")):
        shown.press("Tab")
        kind, label, outline = shown.evaluate(
            """(() => { const at = document.activeElement;
            return [at.tagName, at.getAttribute("aria-label"), getComputedStyle(at).outlineStyle]; })()"""
        )
        assert kind == "BODY" or outline == "solid"
        if kind == "FIGURE":
            assert label
            reached.add(label)
    assert len(reached) == len(titles(shown))


TEXTS_IN_CHARTS = """(() => {
const complaints = [];
for (const chart of document.querySelectorAll("svg")) {
  const page = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  texts.forEach(([text, box], k) => {
    const inside = box.left >= page.left - 1 && box.right <= page.right + 1 && box.top >= page.top - 3 && box.bottom <= page.bottom + 1;
    if (!inside || box.width == 0) complaints.push(text + " leaves its chart");
    for (const [other, b] of texts.slice(k + 1)) {  // Boxes are higher than the letters in them.
      const apart = box.right <= b.left || b.right <= box.left || box.bottom <= b.top + 3 || b.bottom <= box.top + 3;
      if (!apart) complaints.push(text + " covers " + other);
    }
  });
}
return complaints; })()"""


@pytest.mark.parametrize("width", [360, 700, 1100])
def test_nothing_overlaps_or_leaves_the_page_at_any_width(shown, width):
    shown.size(width, 900)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert shown.evaluate(TEXTS_IN_CHARTS) == []


def test_letters_stand_out_in_light_and_dark(shown):
    for scheme in ("light", "dark"):
        shown.prefer(scheme)
        ink, soft, paper = (
            shown.evaluate(f"getComputedStyle({where}).{what}")
            for where, what in (
                ("document.body", "color"),
                ("document.querySelector('.soft')", "color"),
                ("document.body", "backgroundColor"),
            )
        )
        assert contrast(ink, paper) > 7 and contrast(soft, paper) > 4.5, scheme
        chart = shown.evaluate("getComputedStyle(document.querySelector('svg text')).fill")
        assert chart == ink


def contrast(first, second):
    """The ratio of the Web Content Accessibility Guidelines, which ask for 4.5."""

    def luminance(colour):
        shares = np.array([int(part) / 255 for part in re.findall(r"\d+", colour)[:3]])
        linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    light, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_it_prints_on_a_few_light_pages(shown):
    pdf = shown.pdf()
    assert pdf.startswith(b"%PDF") and 2 <= len(re.findall(rb"/Type /Page\b", pdf)) <= 10
    shown.send("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert shown.evaluate("getComputedStyle(document.body).color") == "rgb(28, 33, 38)"
    shown.send("Emulation.setEmulatedMedia", media="", features=[])
