"""A fitted model in HTML, for notebooks."""

import html

_MOST = 12
_LEAST = 0.0005  # Less would print as 0.0 %.

_STYLE = """
<style>
.shrimp-summary {font-family: sans-serif; font-size: 0.9em; margin-top: 0.5em;}
.shrimp-summary table {border-collapse: collapse; font-size: 1em;}
.shrimp-summary td, .shrimp-summary th {padding: 0.15em 0.8em 0.15em 0; text-align: right; border: none;}
.shrimp-summary td:first-child, .shrimp-summary th:first-child {text-align: left;}
.shrimp-summary .bar {display: inline-block; height: 0.7em; background: #3b6ea5;}
.shrimp-summary td.bars {text-align: left; width: 12em;}
</style>
"""


def describe_html(model):
    """Terms with bars, errors, sizes."""
    terms = model.terms
    shown = [term for term in terms[:_MOST] if term[3] >= _LEAST]
    rows = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{columns}</td><td>{100 * share:.1f} %</td>"
        f'<td class="bars"><span class="bar" style="width: {100 * share:.1f}%"></span></td></tr>'
        for name, _, columns, share in shown
    )
    rest = 100 * sum(share for *_, share in terms[len(shown) :])
    more = f"<p>and {len(terms) - len(shown)} more with {rest:.2g} % together</p>" if len(shown) < len(terms) else ""
    return (
        f'{_STYLE}<div class="shrimp-summary"><p><b>{html.escape(model.target)}</b> from {_count(len(model.inputs), "input")}, '
        f"{_count(len(terms), 'term')}, {_count(model.n_columns, 'column')}; {_errors(model.results)}</p>"
        f"<table><tr><th>term</th><th>columns</th><th>share</th><th></th></tr>{rows}</table>{more}</div>"
    )


def _count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _errors(results):
    parts = [
        f"{words} {results[name]:.4g}"
        for name, words in (("validation_mse", "validation MSE"), ("train_mse", "training MSE"))
        if name in results
    ]
    return ", ".join(parts) + f" on {results.get('rows', 0):.0f} rows"
