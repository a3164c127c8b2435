"""Checks the built documentation, and prints how a newcomer finds ten tasks.

    python3 docs/check_site.py build/docs/html

- Every link and picture leads to a file of the site, and every anchor to an element.
- No page loads anything from another host.
- Each task is at most two clicks from the start page, by links in the text of pages.
- The gallery has ten examples.
"""

import collections
import html.parser
import pathlib
import re
import sys
import urllib.parse

CLICKS = 2
EXAMPLES = 10
# Task -> (page, anchor or "", text that the page must contain).
TASKS = {
    "install": ("getting-started/install.html", "", "make python"),
    "fit a model": ("getting-started/quickstart.html", "fit", "ShrimpRegressor().fit("),
    "read the summary": ("getting-started/first-summary.html", "", "estimated error"),
    "plot an effect": ("getting-started/quickstart.html", "plot-an-effect", "MainEffectDisplay"),
    "get an interval": ("how-to/intervals.html", "", "--interval"),
    "save and load": ("getting-started/quickstart.html", "save-and-load", "ShrimpRegressor.load("),
    "use in a pipeline": ("how-to/scikit-learn.html", "", "make_pipeline("),
    "fit classes": ("how-to/classes-and-counts.html", "", "ShrimpClassifier().fit("),
    "export to C": ("how-to/exporting.html", "", "--to c"),
    "find what an error means": ("how-to/troubleshooting.html", "", "is not a number"),
}
# Attributes of elements that a browser loads by itself.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(html.parser.HTMLParser):
    """Anchors, links (those in the text apart) and loaded files of one page, and its text."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.anchors, self.links, self.text_links, self.loaded, self.words = set(), [], [], [], []
        self._articles = 0
        self._silent = 0
        self.feed(path.read_text(encoding="utf-8"))
        self.text = re.sub(r"\s+", " ", "".join(self.words))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        self._articles += tag == "article"
        self._silent += tag in ("script", "style")
        for name in ("href", "src"):
            if (tag, name) in LOADED and given.get(name) and given.get("rel") not in ("next", "prev", "index", "search"):
                self.loaded.append(given[name])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
            if self._articles:
                self.text_links.append(given["href"])

    def handle_endtag(self, tag):
        self._articles -= tag == "article"
        self._silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self._silent:
            self.words.append(data)


def is_elsewhere(link):
    return re.match(r"(?:[a-z]+:|//)", link) is not None


def target_of(page, link):
    """(path, anchor) that a link on a page leads to."""
    path, _, anchor = link.partition("#")
    path = urllib.parse.unquote(path.partition("?")[0])
    return ((page.parent / path).resolve() if path else page), urllib.parse.unquote(anchor)


def broken_links(pages):
    for path, page in pages.items():
        for link in page.links + page.loaded:
            if is_elsewhere(link):
                continue
            target, anchor = target_of(path, link)
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                yield f"{path.name}: {link} does not exist"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{path.name}: {link} has no such anchor"


def files_of_other_hosts(pages):
    return [f"{path.name}: loads {link}" for path, page in pages.items() for link in page.loaded
            if is_elsewhere(link) and not link.startswith("data:")]


def click_paths(pages, start):
    """Shortest path from the start page to every page, by links in the text."""
    paths, queue = {start: [start]}, collections.deque([start])
    while queue:
        here = queue.popleft()
        for link in pages[here].text_links:
            target = None if is_elsewhere(link) else target_of(here, link)[0]
            if target in pages and target not in paths:
                paths[target] = [*paths[here], target]
                queue.append(target)
    return paths


def check(folder):
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    start = (folder / "index.html").resolve()
    problems = [*broken_links(pages), *files_of_other_hosts(pages)]
    paths = click_paths(pages, start)
    for task, (name, anchor, text) in TASKS.items():
        goal = (folder / name).resolve()
        clicks = len(paths.get(goal, ())) - 1
        if goal not in paths or clicks > CLICKS:
            problems.append(f"task \"{task}\": {name} is not within {CLICKS} clicks")
            continue
        if anchor and anchor not in pages[goal].anchors:
            problems.append(f"task \"{task}\": {name} has no anchor {anchor}")
        if text not in pages[goal].text:
            problems.append(f"task \"{task}\": {name} does not contain \"{text}\"")
        way = " > ".join(page.relative_to(start.parent).as_posix() for page in paths[goal])
        print(f"{clicks} click{'s' if clicks > 1 else ''}  {task:<26}{way}{'#' + anchor if anchor else ''}")
    examples = [path for path in pages if path.parent.name == "gallery" and path.name.startswith("plot_")]
    if len(examples) != EXAMPLES:
        problems.append(f"the gallery has {len(examples)} examples instead of {EXAMPLES}")
    links = sum(len(page.links) + len(page.loaded) for page in pages.values())
    print(f"{len(pages)} pages, {links} links and files, {len(problems)} problems")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found), file=sys.stderr)
    sys.exit(1 if found else 0)
