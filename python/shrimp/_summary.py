"""A fitted model in HTML, for notebooks."""

import html
import math

_MOST = 30
_LEAST = 0.001

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
    chances = any(term[4] is not None for term in shown)
    rows = "".join(
        f"<tr><td>{html.escape(brief_name(model, name, variables))}</td><td>{columns or html.escape(_carried_by(model, variables))}</td><td>{100 * share:.1f} %</td>{_chance(chance) if chances else ''}"
        f'<td class="bars"><span class="bar" style="width: {100 * share:.1f}%"></span></td></tr>'
        for name, variables, columns, share, chance in shown
    )
    rest = 100 * sum(term[3] for term in terms[len(shown) :])
    left = len(terms) - len(shown)
    more = f"<p>… and {_count(left, 'more term')}, {rest:.2g} % in all</p>" if left else ""
    higher = model.results.get("share_above_three")
    if higher is not None:
        more += f"<p>{100 * higher:.1f} % of the explained variance is of order above three</p>"
    covariances = model.results.get("covariance_share", 0.0)
    if abs(covariances) > 0.05 and model.results.get("independence_p_value", 0.0) <= 0.01:
        more += f"<p>{100 * covariances:.0f} % of the variance over the training rows is covariance between terms, which shares leave out</p>"
    return (
        f'{_STYLE}<div class="shrimp-summary"><p><b>{html.escape(model.target)}</b> from {_count(len(model.inputs), "input")}, '
        f"{_count(len(terms), 'term')}, {_count(model.n_columns, 'column')}; {_errors(model.results)}</p>"
        f"<table><tr><th>term</th><th>columns</th><th>share</th>{'<th>chance</th>' if chances else ''}<th></th></tr>{rows}</table>{more}{_forms(model)}</div>"
    )


def brief_name(model, name, variables):
    """A term's name; of more than four inputs it has three and counts them."""
    if len(variables) <= 4:
        return name
    return f"({', '.join(model.inputs[j] for j in variables[:3])}, … {len(variables)} inputs)"


def _forms(model):
    """How inputs and target were fitted, where not as they are."""
    parts = []
    for form, words in (("rank", "by rank"), ("log", "by logarithm")):
        names = [name for name in model.inputs if model.forms.get(name) == form]
        parts += [f"{', '.join(names)} {words}"] if names else []
    if model.target_form != "identity":
        parts.append(f"{model.target} fitted as {model.target_form}({model.target}), which the shares are of")
    return f"<p>{html.escape('; '.join(parts))}</p>" if parts else ""


def _carried_by(model, variables):
    """Which terms' columns carry the effect of one that has none of its own."""
    carriers = [
        brief_name(model, name, others) for name, others, columns, *_ in model.terms if columns and set(variables) <= set(others)
    ]
    more = ", …" if len(carriers) > 1 else ""
    return f"through {carriers[0]}{more}" if carriers else "-"


def _chance(chance):
    """The p-value of a term given the others."""
    text = "" if chance is None else "&lt; 1e-9" if chance < 1e-9 else f"{chance:.1g}"
    return f"<td>{text}</td>"


def _r2(value):
    """Two digits of what is missing from 1, at least: 0.81, 0.99997."""
    missing = abs(1 - value)
    return f"{value:.{min(12, max(2, 1 - math.floor(math.log10(missing)))) if missing > 0 else 0}f}"


def _count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _errors(results):
    parts = []
    for name, words in (("validation", "validation"), ("train", "training")):
        if f"{name}_mse" in results:
            parts.append(f"{words} MSE {results[f'{name}_mse']:.4g}")
            if f"{name}_se" in results:
                parts[-1] += f" ± {results[f'{name}_se']:.1g}"
            if f"{name}_r2" in results:
                parts[-1] += f" (R² {_r2(results[f'{name}_r2'])})"
    return ", ".join(parts) + f" on {results.get('rows', 0):.0f} rows"
