"""A fitted model in HTML, for notebooks."""

import html
import math

from ._binding import n_basis_functions_of, result_of, target_transform_of, transforms_of

_MAX_TERMS = 20
_MIN_FRACTION = 0.001

# Per loss function the metric, its name in results, and the names of the constant and of the linear model.
_METRICS = {
    "squared": ("RMSE", "mse", "mean", "linear model"),
    "logistic": ("log loss", "log_loss", "constant probability", "logistic regression"),
    "multinomial": ("log loss", "log_loss", "constant probabilities", "linear model"),
    "poisson": ("deviance", "deviance", "constant rate", "Poisson regression"),
    "huber": ("Huber loss", "huber_loss", "constant", "linear model"),
}

_STYLE = """
<style>
.shrimp-summary {font-family: sans-serif; font-size: 0.9em; margin-top: 0.5em;}
.shrimp-summary table {border-collapse: collapse; font-size: 1em;}
.shrimp-summary td, .shrimp-summary th {padding: 0.15em 0.8em 0.15em 0; text-align: right; border: 0;}
.shrimp-summary td:first-child, .shrimp-summary th:first-child {text-align: left;}
.shrimp-summary p {margin: 0.2em 0;}
.shrimp-summary td.words, .shrimp-summary th.words {text-align: left;}
.shrimp-summary .bar {display: inline-block; height: 0.7em; background: #3b6ea5;}
.shrimp-summary td.bars {text-align: left; width: 8em;}
</style>
"""


def describe_html(model):
    """The estimated error next to those of simple models, and the terms with their fractions of variance and effects."""
    effects = model.effects()
    order_3 = result_of(model, "fraction_above_order_three")
    wide = [len(variables) > 4 and order_3 is not None for _, variables, *_ in model.terms]
    terms = [(*term, effect) for term, effect, is_wide in zip(model.terms, effects, wide) if not is_wide]
    shown = [term for term in terms[:_MAX_TERMS] if term[3] >= _MIN_FRACTION]
    has_p_values = any(term[4] is not None for term in shown)
    rows = "".join(
        f"<tr><td>{html.escape(brief_name(model, name, variables))}</td><td>{100 * fraction:.1f} %</td>"
        f'<td class="bars"><span class="bar" style="width: {100 * fraction:.1f}%"></span></td>'
        f"{_p_value_cell(p_value) if has_p_values else ''}<td class=\"words\">{html.escape(effect)}</td></tr>"
        for name, variables, _, fraction, p_value, effect in shown
    )
    wide_fraction = sum(term[3] for term, is_wide in zip(model.terms, wide) if is_wide)
    above_order_3 = min(wide_fraction, order_3 or 0.0)
    rest = sum(term[3] for term in terms[len(shown) :]) + wide_fraction - above_order_3
    left = len(terms) - len(shown)
    more = f"<p>… and {_count(left, 'more term')}, {_percent(rest)} in all</p>" if left else ""
    if any(wide):
        more += f"<p>interactions above order 3: {_percent(above_order_3)}</p>"
    covariances = result_of(model, "covariance_fraction", 0.0)
    if abs(covariances) > 0.05 and model.results.get("independence_p_value", 0.0) <= 0.01:
        more += (
            f"<p>{100 * covariances:.0f} % of the variance is covariance between terms of dependent inputs, "
            "which the fractions exclude</p>"
        )
    heading = ["<th>term</th>", "<th>variance</th>", "<th></th>", *["<th>p-value</th>"] * has_p_values, '<th class="words">effect</th>']
    table = f"<table><tr>{''.join(heading)}</tr>{rows}</table>" if rows else ""
    return (
        f'{_STYLE}<div class="shrimp-summary"><p><b>{html.escape(model.target)}</b> from {_count(len(model.inputs), "input")}, '
        f"{_count(len(model.terms), 'term')}, {_count(n_basis_functions_of(model), 'basis function')}</p>"
        f"{_errors(model)}{_readable(model)}{table}{more}{_transforms(model)}</div>"
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


def _p_value_cell(p_value):
    text = "" if p_value is None else "&lt; 1e-9" if p_value < 1e-9 else f"{p_value:.1g}"
    return f"<td>{text}</td>"


def _r2(value):
    """R² with at least two digits of its difference from 1: 0.81, 0.99997."""
    missing = abs(1 - value)
    return f"{value:.{min(12, max(2, 1 - math.floor(math.log10(missing)))) if missing > 0 else 0}f}"


def _percent(fraction):
    return "&lt; 0.1 %" if fraction < 5e-4 else f"{100 * fraction:.1f} %"


def _count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _errors(model):
    """The estimated error next to those of a constant and of a linear model."""
    metric, key, constant, linear = _METRICS[model.options.get("loss", "squared")]
    results = model.results
    on_fitted_scale = "transformed_train_mse" in results
    prefix = "transformed_" if on_fitted_scale else ""

    def value_of(kind):
        value = results.get(f"{prefix}{kind}_{key}")
        return value**0.5 if value is not None and key == "mse" else value

    if on_fitted_scale and target_transform_of(model) != "identity":
        metric += f" of {model.fitted_target}"
    estimated, training = value_of("validation"), value_of("train")
    standard_error = results.get(f"{prefix}validation_se" if key == "mse" else f"{prefix}validation_{key}_se")
    parts = []
    if estimated is not None:
        is_independent = model.options.get("quick-error") == "false" and "simplified_from" not in results
        text = f"{'estimated' if is_independent and standard_error is not None else 'validation'} error: {metric} {estimated:.3g}"
        if standard_error is not None and estimated > 0:
            text += f" ± {standard_error / (2 * estimated) if key == 'mse' else standard_error:.1g}"
        baselines = [(constant, value_of("baseline_mean")), (linear, value_of("baseline_linear"))]
        if others := ", ".join(f"{name} {value:.3g}" for name, value in baselines if value is not None):
            text += f" ({others})"
        if key == "mse" and f"{prefix}validation_r2" in results:
            text += f", R² {_r2(results[f'{prefix}validation_r2'])}"
        parts.append(text)
    if training is not None:
        r2 = f", R² {_r2(results[f'{prefix}train_r2'])}" if key == "mse" and f"{prefix}train_r2" in results else ""
        parts.append(f"training error: {metric} {training:.3g}{r2}")
    rows = results.get("rows_given", results.get("rows"))
    if rows is not None:
        parts.append(f"method {model.method}, {_count(round(rows), 'row')}")
    return "".join(f"<p>{html.escape(part)}</p>" for part in parts)


def _readable(model):
    """The error of the model that a kernel term replaced, and how to get it."""
    error, own = model.results.get("readable_mse"), model.results.get("validation_mse")
    if error is None or not own:
        return ""
    ratio = (error / own) ** 0.5
    change = round(100 * (ratio - 1))
    words = f"{abs(change)} % {'more' if change > 0 else 'less'}" if change else "equal"
    if ratio >= 2:
        words = f"{ratio:.1f} times as large"
    return f"<p>readable model: RMSE {error**0.5:.3g} ({words}) without the kernel term, as <code>readable_</code></p>"
