"""The pages lead somewhere."""

import re


def pages(repository):
    folders = [repository, *(repository / name for name in ("bench", "experiments"))]
    beside = [page for folder in folders for page in sorted(folder.glob("*.md"))]
    return beside + sorted((repository / "docs").rglob("*.md"))


def links(page):
    """The files that a page links to, its pictures included."""
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text())
    return {page.parent / target for target in targets if not re.match(r"[a-z]+:", target)}


def test_every_link_leads_to_a_file(repository):
    broken = {page.name: target for page in pages(repository) for target in links(page) if not target.exists()}
    assert broken == {}


def test_the_index_lists_every_page(repository):
    index = repository / "docs" / "index.md"
    listed = {target.resolve() for target in links(index)}
    assert {page for page in (repository / "docs").rglob("*.md") if page != index} - listed == set()


def test_the_front_page_leads_to_index_glossary_and_choice_of_method(repository):
    listed = {target.name for target in links(repository / "README.md") if "docs" in target.parts}
    assert {"index.md", "glossary.md", "choosing-a-method.md", "tutorial.md"} <= listed
