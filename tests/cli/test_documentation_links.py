"""Links of the documentation lead somewhere, every page is listed, and a newcomer's tasks are two clicks away."""

import collections
import re
import unicodedata

import pytest

# Task -> (page, heading or "").
TASKS = {
    "install": ("getting-started/install.md", ""),
    "fit": ("getting-started/quickstart.md", "fit"),
    "read the summary": ("getting-started/first-summary.md", ""),
    "plot an effect": ("getting-started/quickstart.md", "plot-an-effect"),
    "get an interval": ("how-to/intervals.md", ""),
    "save and load": ("getting-started/quickstart.md", "save-and-load"),
    "use in a pipeline": ("how-to/scikit-learn.md", ""),
    "fit classes": ("how-to/classes-and-counts.md", ""),
    "export to C": ("how-to/exporting.md", ""),
    "find what an error means": ("how-to/troubleshooting.md", ""),
}
CLICKS = 2


def pages(repository):
    folders = [repository, *(repository / name for name in ("bench", "experiments"))]
    beside = [page for folder in folders for page in sorted(folder.glob("*.md"))]
    return beside + documentation(repository)


def documentation(repository):
    generated = repository / "docs" / "gallery"
    return sorted(page for page in (repository / "docs").rglob("*.md") if generated not in page.parents)


def without_code(page):
    return re.sub(r"^(`{3,})(?!\{).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def links(page):
    """(file, anchor) of each link, pictures included."""
    for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", without_code(page)):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            yield ((page.parent / file).resolve() if file else page), anchor


def anchors(page):
    """Anchors of the headings, as MyST and code hosts make them."""
    for heading in re.findall(r"^#+ (.*)", without_code(page), flags=re.M):
        plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", unicodedata.normalize("NFC", heading)).strip().lower()
        yield re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def toctree(page):
    """Pages in the tables of contents of a page, without those that are generated."""
    for entries in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S):
        for entry in entries.split("\n"):
            if entry and not entry.startswith(":"):
                yield next((page.parent / f"{entry}{end}" for end in (".md", ".rst") if (page.parent / f"{entry}{end}").exists()),
                           page.parent / entry)


def is_generated(target, repository):
    return target == repository / "docs" / "gallery" / "index.rst" and (repository / "examples" / "gallery").exists()


def test_every_link_leads_to_a_file(repository):
    found = [(page.name, target) for page in pages(repository) for target, _ in links(page)]
    assert [pair for pair in found if not pair[1].exists() and not is_generated(pair[1], repository)] == []


def test_every_anchor_is_a_heading(repository):
    found = [(page.name, target, anchor) for page in pages(repository) for target, anchor in links(page) if anchor]
    assert [one for one in found if one[1].suffix == ".md" and one[2] not in anchors(one[1])] == []


def test_every_page_is_in_a_table_of_contents(repository):
    listed = {target.resolve() for page in documentation(repository) for target in toctree(page)}
    assert [page for page in documentation(repository) if page not in listed and page.parent != repository / "docs"] == []


@pytest.mark.parametrize("task", TASKS)
def test_a_task_of_a_newcomer_is_at_most_two_clicks_from_the_start_page(repository, task):
    page, heading = TASKS[task]
    goal = repository / "docs" / page
    assert not heading or heading in anchors(goal)
    start = repository / "docs" / "index.md"
    clicks, queue = {start: 0}, collections.deque([start])
    while queue:
        here = queue.popleft()
        for target, _ in links(here):
            if target.suffix == ".md" and target.exists() and target not in clicks:
                clicks[target] = clicks[here] + 1
                queue.append(target)
    assert clicks.get(goal, CLICKS + 1) <= CLICKS


def test_the_front_page_is_short_and_leads_to_the_documentation(repository):
    readme = repository / "README.md"
    assert len(readme.read_text(encoding="utf-8").splitlines()) <= 80
    listed = {target.relative_to(repository / "docs").as_posix() for target, _ in links(readme) if repository / "docs" in target.parents}
    assert {"index.md", "getting-started/install.md", "getting-started/first-summary.md", "how-to/choosing-a-method.md"} <= listed


def messages(repository):
    """Source code whose string literals are joined and whose placeholders are `…`."""
    files = [file for folder in ("src", "apps", "python") for end in ("cpp", "hpp", "py")
             for file in sorted((repository / folder).rglob(f"*.{end}"))]  # fmt: skip
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r"\{[\w.:]*\}", "…", re.sub(r'"\s*\n\s*f?"', "", text).replace('\\"', '"'))


def test_the_messages_that_troubleshooting_explains_are_those_of_the_program(repository):
    page = (repository / "docs" / "how-to" / "troubleshooting.md").read_text(encoding="utf-8")
    quoted = re.findall(r"\*\*`([^`]+)`", page)
    assert len(quoted) > 20
    known = messages(repository)
    assert [text for text in quoted if not all(part.strip() in known for part in re.split(r'…|"[^"]*"|\d+', text))] == []
