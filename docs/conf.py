"""Sphinx configuration of the documentation. `make docs` builds it into build/docs/html."""

import os
import pathlib
import posixpath
import re
import sys

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.transforms import SphinxTransform

DOCS = pathlib.Path(__file__).parent
REPOSITORY = DOCS.parent
GENERATED = pathlib.Path(os.environ.get("SHRIMP_DOCS_BUILD", REPOSITORY / "build" / "docs"))
sys.path.insert(0, str(REPOSITORY / "examples"))

project = "Shrimp"
author = "The Shrimp developers"
copyright = author
version = release = re.search(r"project\(shrimp VERSION ([\d.]+)", (REPOSITORY / "CMakeLists.txt").read_text())[1]

extensions = [
    "breathe",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["Thumbs.db", "gallery/**/*.ipynb", "gallery/**/*.py", "gallery/**/*.md5", "sg_execution_times.rst"]
nitpicky = False
highlight_language = "none"
default_role = "literal"

# Markdown
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
# Prompts do not belong to a command that is copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Python
autodoc_member_order = "groupwise"
autodoc_typehints = "none"
autodoc_inherit_docstrings = True
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# C++
breathe_projects = {"shrimp": str(GENERATED / "doxygen" / "xml")}
breathe_default_project = "shrimp"
breathe_default_members = ("members", "undoc-members")
# Every header opens the namespace again.
suppress_warnings = ["duplicate_declaration.cpp"]

# HTML. Every asset is local: no page loads anything from another host.
html_theme = "pydata_sphinx_theme"
html_title = f"Shrimp {version}"
html_static_path = ["_static"]
html_css_files = ["shrimp.css"]
html_copy_source = False
html_search_scorer = str(DOCS / "_static" / "search_scorer.js")
html_show_sphinx = False
html_math_renderer = "mathml"
html_theme_options = {
    "show_nav_level": 1,
    "navigation_depth": 3,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
    "use_edit_page_button": False,
    "show_prev_next": True,
}
html_sidebars = {"index": []}

sphinx_gallery_conf = {
    "examples_dirs": [str(REPOSITORY / "examples" / "gallery")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"/_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "copyfile_regex": r".*\.csv",
}

# Files outside docs/ that are pages of the site, too. Each page's own file links to them for readers on a code host.
FILES_AS_PAGES = {
    "about/benchmarks": "bench/README.md",
    "about/changelog": "CHANGELOG.md",
    "about/contributing": "CONTRIBUTING.md",
    "about/experiments": "experiments/README.md",
}
PAGE_OF_FILE = {file: page for page, file in FILES_AS_PAGES.items()} | {"README.md": "index"}


def adapt_links(app, docname, source):
    """Links that are right in the repository become links that are right in the site."""
    origin = FILES_AS_PAGES.get(docname, f"docs/{docname}.md")
    if docname in FILES_AS_PAGES:
        source[0] = (REPOSITORY / origin).read_text()

    def adapted(match):
        target, mark, anchor = match[1].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        if file in PAGE_OF_FILE:
            file = f"docs/{PAGE_OF_FILE[file]}.md"
        elif docname not in FILES_AS_PAGES:
            return match[0]
        return f"]({posixpath.relpath(file, posixpath.dirname(f'docs/{docname}'))}{mark}{anchor})"

    source[0] = re.sub(r"\]\(([^()\s]+)\)", adapted, source[0])


def tidy_docstring(app, what, name, thing, options, lines):
    """Pages that a docstring names by their file become links. Regressors of single methods share their attributes."""
    text = re.sub(r"`{0,2}docs/([\w/-]+)\.md`{0,2}", r":doc:`/\1`", "\n".join(lines))
    if what == "class" and name.endswith("Regressor") and not name.endswith("ShrimpRegressor"):
        text = re.sub(r"^Attributes\n-+\n.*?(?=^\w[^\n]*\n---|\Z)", "", text, flags=re.M | re.S)
    lines[:] = text.split("\n")


def skip_deprecated(app, what, name, thing, skip, options):
    """Old names are on the page reference/compatibility, not next to the current ones."""
    from shrimp import _deprecated

    return True if name in _deprecated.PARAMETERS.keys() | _deprecated.ATTRIBUTES.keys() else None


def escape_names(app, what, name, thing, options, lines):
    """A trailing underscore is part of a name, not a reference. This runs after numpydoc."""
    for number, line in enumerate(lines):
        if not line.lstrip().startswith(".. "):
            parts = re.split(r"(`+[^`]*`+)", line)
            parts[::2] = [re.sub(r"(?<![\w\\])([A-Za-z]\w*)_(?![\w])", r"\1\\_", part) for part in parts[::2]]
            lines[number] = "".join(parts)


SUBSCRIPT = re.compile(r"(?<!\w)([A-Za-zα-ωΑ-Ω]['̂̃]?)_([A-Za-z][A-Za-z0-9]{0,2}|\d)(?![A-Za-z0-9_])")


class Subscripts(SphinxTransform):
    """Symbols in sentences, such as w_k, get real subscripts on the pages of mathematics."""

    default_priority = 900

    def apply(self):
        if not self.env.current_document.docname.startswith(("explanation/", "reference/methods")):
            return
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.comment)):
                continue
            pieces = SUBSCRIPT.split(text.astext())
            if len(pieces) > 1:
                parts = []
                for plain, symbol, index in zip(pieces[::3], [*pieces[1::3], ""], [*pieces[2::3], ""]):
                    parts += [nodes.Text(plain + symbol)] + ([nodes.subscript("", index)] if index else [])
                text.parent.replace(text, parts)


def visit_math(self, node):
    display = node.__class__.__name__ == "math_block"
    mathml = latex2mathml.tex2mathml(node.astext(), as_block=display)
    self.body.append(f'<div class="math">{mathml}</div>' if display else mathml)
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
    app.add_transform(Subscripts)
    app.connect("source-read", adapt_links)
    app.connect("autodoc-skip-member", skip_deprecated)
    app.connect("autodoc-process-docstring", tidy_docstring, priority=100)
    app.connect("autodoc-process-docstring", escape_names, priority=900)
