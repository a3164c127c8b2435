"""A fitted model in HTML, for notebooks."""

import html
import math

from ._binding import n_basis_functions_of, result_of, target_transform_of, transforms_of

_MAX_TERMS = 30
_MIN_FRACTION = 0.001

_STYLE = """
<style>
.shrimp-summary {font-family: sans-serif; font-size: 0.9em; margin-top: 0.5em;}
.shrimp-summary table {border-collapse: collapse; font-size: 1em;}
.shrimp-summary td, .shrimp-summary th {padding: 0.15em 0.8em 0.15em 0; text-align: right; border: 0;}
.shrimp-summary td:first-child, .shrimp-summary th:first-child {text-align: left;}
.shrimp-summary .bar {display: inline-block; height: 0.7em; background: #3b6ea5;}
.shrimp-summary td.bars {text-align: left; width: 12em;}
</style>
"""


def describe_html(model):
    """Terms with bars, errors and sizes."""
    terms = model.terms
    shown = [term for term in terms[:_MAX_TERMS] if term[3] >= _MIN_FRACTION]
    has_p_values = any(p_value is not None for *_, p_value in shown)
    rows = "".join(
        f"<tr><td>{html.escape(brief_name(model, name, variables))}</td>"
        f"<td>{basis_functions or html.escape(_containing_term(model, variables))}</td><td>{100 * fraction:.1f} %</td>"
        f"{_p_value_cell(p_value) if has_p_values else ''}"
        f'<td class="bars"><span class="bar" style="width: {100 * fraction:.1f}%"></span></td></tr>'
        for name, variables, basis_functions, fraction, p_value in shown
    )
    rest = 100 * sum(term[3] for term in terms[len(shown) :])
    left = len(terms) - len(shown)
    more = f"<p>… and {_count(left, 'more term')} with {rest:.2g} % of the variance</p>" if left else ""
    higher = result_of(model, "fraction_above_order_three")
    if higher is not None:
        more += f"<p>{100 * higher:.1f} % of the explained variance is in interactions above order three</p>"
    covariances = result_of(model, "covariance_fraction", 0.0)
    if abs(covariances) > 0.05 and model.results.get("independence_p_value", 0.0) <= 0.01:
        more += (
            f"<p>{100 * covariances:.0f} % of the variance over the training rows is covariance between terms, "
            "which the fractions of variance do not contain</p>"
        )
    heading = "".join(f"<th>{name}</th>" for name in ["term", "basis functions", "variance", *["p-value"] * has_p_values, ""])
    return (
        f'{_STYLE}<div class="shrimp-summary"><p><b>{html.escape(model.target)}</b> from {_count(len(model.inputs), "input")}, '
        f"{_count(len(terms), 'term')}, {_count(n_basis_functions_of(model), 'basis function')}; {_errors(model.results)}</p>"
        f"<table><tr>{heading}</tr>{rows}</table>{more}{_transforms(model)}</div>"
    )


def brief_name(model, name, variables):
    """The name of a term; for more than four inputs, the first three and the number of inputs."""
    if len(variables) <= 4:
        return name
    return f"({', '.join(model.inputs[j] for j in variables[:3])}, … {len(variables)} inputs)"


def _transforms(model):
    """Transforms of inputs and target, if there are any."""
    parts = []
    for transform, words in (("rank", "by rank"), ("log", "by logarithm")):
        names = [name for name in model.inputs if transforms_of(model).get(name) == transform]
        parts += [f"{', '.join(names)} {words}"] if names else []
    if (transform := target_transform_of(model)) != "identity":
        parts.append(f"fractions of variance and terms refer to {transform}({model.target})")
    return f"<p>{html.escape('; '.join(parts))}</p>" if parts else ""


def _containing_term(model, variables):
    """The interactions that contain a term, if it has no basis functions itself."""
    terms = [
        brief_name(model, name, others)
        for name, others, basis_functions, *_ in model.terms
        if basis_functions and set(variables) <= set(others)
    ]
    more = ", …" if len(terms) > 1 else ""
    return f"in {terms[0]}{more}" if terms else "-"


def _p_value_cell(p_value):
    text = "" if p_value is None else "&lt; 1e-9" if p_value < 1e-9 else f"{p_value:.1g}"
    return f"<td>{text}</td>"


def _r2(value):
    """R² with at least two digits of its difference from 1: 0.81, 0.99997."""
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
