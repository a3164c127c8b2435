"""Pictures of a fitted model, in the manner of scikit-learn's displays: `from_estimator` looks, `plot` draws."""

import textwrap

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._display_values import FEW, column_of, range_of, text_of_value, valued, values_if_few
from ._sensitivity import refuse_unknown_kind
from ._summary import brief_name

_INK = "#333333"
_BLUE = "#3b6ea5"
_ORANGE = "#d9822b"
_GREY = "#8c8c8c"
_GREEN = "#4a8f6a"
_PURPLE = "#8a5a9e"
_RED = "#b5473f"
_PALE = "#d0d0d0"

_BAND = 0.9  # The probability of bands about curves.


def _axes(ax, size):
    from matplotlib import pyplot

    if ax is None:
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _lines(label):
    """A long label in several lines."""
    return textwrap.fill(label, 32)


def _short(name):
    """A long name by its beginning and end, where there is no room for more."""
    return name if len(name) <= 24 else f"{name[:15]}…{name[-8:]}"


def _term_index(model, term):
    """The place of a term given by its name, an input's name or number, or several of them."""
    terms = model.terms
    if isinstance(term, str):
        matches = [k for k, (name, *_) in enumerate(terms) if name == term]
    else:
        wanted = (term,) if isinstance(term, (int, np.integer)) else tuple(term)
        numbers = sorted(model.inputs.index(one) if isinstance(one, str) else int(one) for one in wanted)
        matches = [k for k, (_, variables, *_) in enumerate(terms) if list(variables) == numbers]
    if not matches:
        known = ", ".join(name for name, *_ in terms[:12])
        raise ValueError(f"the model has no term {term!r}.\nIts largest are {known}.")
    return matches[0]


def _of_class(estimator, class_of_interest):
    """The fitted estimator whose model is drawn: of a classifier with a model for each class, that of one class."""
    check_is_fitted(estimator)
    if hasattr(estimator, "_one"):
        return estimator._one(class_of_interest)
    if class_of_interest is not None:
        raise ValueError("class_of_interest is for classifiers.\nRemove it.")
    return estimator


def _first_of_order(model, order):
    for k, (_, variables, *_) in enumerate(model.terms):
        if len(variables) == order:
            return k
    what = "main effect" if order == 1 else "term of two inputs"
    raise ValueError(f"the model has no {what}.")


def _center(model):
    """A row to vary some inputs of; terms do not depend on the others."""
    return np.array([values[len(values) // 2] if len(values) else 0.0 for values, _ in model.marginals])


def _values_of(model, term, rows):
    return model.term_values(np.asfortranarray(rows), 0)[:, 1 + term]


class PrunePathDisplay:
    """The error along the path, against the columns that are left, and the step that was chosen.

    Parameters
    ----------
    path : DataFrame
        `path_` of a fitted estimator.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, path):
        self.path = path

    @classmethod
    def from_estimator(cls, estimator, *, class_of_interest=None, ax=None):
        """Draw the path of a fitted estimator.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Returns
        -------
        PrunePathDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        return cls(estimator.path_).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        PrunePathDisplay
        """
        self.ax_ = _axes(ax, (5.2, 3.4))
        path = self.path[self.path["columns"] > 0]
        validated = path["validation_mse"]
        self.ax_.plot(path["columns"], path["train_mse"], color=_GREY, linestyle="--", label="training")
        self.ax_.plot(path["columns"], validated, color=_BLUE, label="validation")
        chosen = path[path["chosen"]]
        self.ax_.plot(
            chosen["columns"], chosen["validation_mse"], "o", color="white", markeredgecolor=_ORANGE, markersize=8,
            markeredgewidth=2, label="chosen",
        )  # fmt: skip
        self.ax_.set(xscale="log", xlabel="basis functions", ylabel="mean squared error")
        # Interpolation has no error to speak of: what is down there is rounding, and would squeeze what matters.
        positive = validated[validated > 0]
        if len(positive):
            self.ax_.set_yscale("log")
            self.ax_.set_ylim(bottom=max(positive.min() / 10, np.finfo(float).tiny))
        self.ax_.invert_xaxis()
        self.ax_.legend(frameon=False)
        self.figure_ = self.ax_.figure
        return self


class TermsDisplay:
    """The largest terms by their share of the model's variance.

    Parameters
    ----------
    names : list of str
    shares : array-like
        Largest first.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, names, shares):
        self.names = list(names)
        self.shares = np.asarray(shares)

    @classmethod
    def from_estimator(cls, estimator, *, most=12, least=0.001, class_of_interest=None, ax=None):
        """Draw the terms of a fitted estimator, at most so many, and none with less than `least` of the variance.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Returns
        -------
        TermsDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        shown = [term for term in estimator.model_.terms[:most] if term[3] >= least]
        names = [brief_name(estimator.model_, term[0], term[1]) for term in shown]
        return cls(names, [term[3] for term in shown]).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        TermsDisplay
        """
        rows = max(2, len(self.names))
        labels = [_lines(name) for name in self.names]
        longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
        row_height = 0.42 if any("\n" in label for label in labels) else 0.32
        self.ax_ = _axes(ax, (max(5.2, 3.6 + 0.09 * longest), 0.8 + row_height * rows))
        places = np.arange(len(self.names))
        bars = self.ax_.barh(places, 100 * self.shares, color=_BLUE, height=0.7)
        self.ax_.bar_label(bars, [f"{100 * share:.1f} %" for share in self.shares], padding=3, color=_INK, fontsize="small")
        self.ax_.set_yticks(places, labels)
        self.ax_.set_ylim(rows - 0.4, -0.6)
        self.ax_.tick_params(axis="y", length=0)
        self.ax_.set(xlabel="share of the variance, %")
        self.ax_.margins(x=0.15)
        self.figure_ = self.ax_.figure
        return self


class MainEffectDisplay:
    """What one input does by itself: a curve with the input's values in the data below, or a point for each value.

    Parameters
    ----------
    name : str
    grid, values : array-like
        The curve, or the points.
    rug : array-like
        Values of the input in the data.
    target : str
    shares : array-like, default=None
        Of the rows that have each value of the grid, which is then drawn as points: the more rows, the larger.
    band : pair of array-like, default=None
        Between which the curve lies with a probability of 90 %, point by point; None where it is not known.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, name, grid, values, rug, target, shares=None, band=None, labels=None):
        self.labels = labels
        self.band = band
        self.shares = shares
        self.name = name
        self.grid = grid
        self.values = values
        self.rug = rug
        self.target = target

    @classmethod
    def from_estimator(cls, estimator, term=None, X=None, *, points=200, class_of_interest=None, ax=None):
        """Draw a main effect of a fitted estimator.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Parameters
        ----------
        term : str or int, default=None
            The input by name or number. None takes the one with the largest share.
        X : array-like, default=None
            Data for the rug, or for the sizes of points. None takes the values or quantiles that the model keeps.
        points : int, default=200
            Points of the curve. An input that has no more than 10 values in the training rows, and in X, has no curve:
            its effect is a point at each value.

        Returns
        -------
        MainEffectDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        model = estimator.model_
        place = _first_of_order(model, 1) if term is None else _term_index(model, term)
        name, variables, *_ = model.terms[place]
        if len(variables) != 1:
            raise ValueError(f"{name} is no main effect.\nDraw it with InteractionDisplay.")
        rug = np.asarray(model.marginals[variables[0]][0] if X is None else column_of(estimator, X, variables[0]), dtype=float)
        grid, shares = values_if_few(model, variables[0])
        if grid is not None and X is not None and not model.levels[variables[0]]:
            grid, counts = np.unique(rug, return_counts=True)
            shares = counts / len(rug)
        if grid is None or (len(grid) > FEW and not model.levels[variables[0]]):
            low, high = range_of(model, variables[0])
            grid, shares = np.linspace(min(low, rug.min()), max(high, rug.max()), points), None
        rows = np.tile(_center(model), (len(grid), 1))
        rows[:, variables[0]] = grid
        band = model.term_band(variables, np.asfortranarray(grid[:, np.newaxis]), _BAND, 0)
        labels = [text_of_value(model, variables[0], value) for value in grid] if shares is not None else None
        return cls(name, grid, _values_of(model, place, rows), rug, model.fitted_target, shares, band, labels).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        MainEffectDisplay
        """
        self.ax_ = _axes(ax, (4.2, 3.0))
        self.ax_.axhline(0, color=_GREY, linewidth=0.8, zorder=0)
        if self.shares is None:
            self._draw_curve()
        else:
            self._draw_points()
        self.ax_.margins(y=0.12)
        self.ax_.set(xlabel=_lines(self.name), ylabel=_lines(f"effect on {self.target}"))
        self.figure_ = self.ax_.figure
        return self

    # Both are drawn at 3, the line of no effect at 0: what says how sure they are goes between.

    def _draw_curve(self):
        if self.band is not None:
            self.ax_.fill_between(self.grid, *self.band, color=_BLUE, alpha=0.2, linewidth=0, zorder=2)
        self.ax_.plot(self.grid, self.values, color=_BLUE, linewidth=1.8, zorder=3)
        shown = self.rug if len(self.rug) <= 500 else np.quantile(self.rug, np.linspace(0, 1, 500))
        self.ax_.vlines(shown, 0, 0.035, transform=self.ax_.get_xaxis_transform(), color=_INK, alpha=0.45, linewidth=0.6)

    def _draw_points(self):
        self.ax_.vlines(self.grid, 0, self.values, color=_PALE, linewidth=1.2, zorder=1)
        if self.band is not None:
            self.ax_.vlines(self.grid, *self.band, color=_BLUE, linewidth=1.6, zorder=2)
        sizes = 16 + 110 * np.asarray(self.shares) / max(self.shares)
        self.ax_.scatter(self.grid, self.values, s=sizes, color=_BLUE, zorder=3)
        self.ax_.set_xticks(self.grid, self.labels or [f"{value:g}" for value in self.grid])
        if self.labels and sum(map(len, self.labels)) > 36:  # Names that do not fit beside each other.
            self.ax_.tick_params(axis="x", rotation=45)
        self.ax_.margins(x=0.12)


class InteractionDisplay:
    """What two inputs do together and neither does alone, as a heat map, with a cell for each value of an input of few.

    Parameters
    ----------
    names : pair of str
    x, y : array-like
        The grid.
    values : array-like of shape (len(y), len(x))
    target : str
    in_cells : pair of bool, default=(False, False)
        Whether x and y are all the values that there are.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, names, x, y, values, target, in_cells=(False, False), labels=None):
        self.labels = labels or tuple([f"{value:g}" for value in own] for own in (x, y))
        self.in_cells = in_cells
        self.names = names
        self.x = x
        self.y = y
        self.values = values
        self.target = target

    @classmethod
    def from_estimator(cls, estimator, term=None, *, points=80, with_main_effects=False, class_of_interest=None, ax=None):
        """Draw an interaction of a fitted estimator.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Parameters
        ----------
        term : str or pair of str or int, default=None
            The term by name, or its two inputs. None takes the one with the largest share.
        points : int, default=80
            Points of the grid along each input, unless it has no more than 10 values in the training rows: these are
            the grid then.
        with_main_effects : bool, default=False
            Add the main effects of both inputs.

        Returns
        -------
        InteractionDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        model = estimator.model_
        place = _first_of_order(model, 2) if term is None else _term_index(model, term)
        name, variables, *_ = model.terms[place]
        if len(variables) != 2:
            raise ValueError(f"{name} is no term of two inputs.")
        few = [values_if_few(model, variable)[0] for variable in variables]
        x, y = (
            np.linspace(*range_of(model, variable), points) if own is None else own
            for variable, own in zip(variables, few)
        )
        rows = np.tile(_center(model), (len(x) * len(y), 1))
        rows[:, variables[0]] = np.tile(x, len(y))
        rows[:, variables[1]] = np.repeat(y, len(x))
        parts = model.term_values(np.asfortranarray(rows), 0)
        drawn = [
            1 + k
            for k, (_, own, *_) in enumerate(model.terms)
            if list(own) == list(variables) or (with_main_effects and len(own) == 1 and own[0] in variables)
        ]
        values = parts[:, drawn].sum(axis=1).reshape(len(y), len(x))
        names = tuple(model.inputs[variable] for variable in variables)
        labels = tuple([text_of_value(model, j, value) for value in own] for j, own in zip(variables, (x, y)))
        return cls(names, x, y, values, model.fitted_target, tuple(own is not None for own in few), labels).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        InteractionDisplay
        """
        self.ax_ = _axes(ax, (4.4, 3.4))
        most = np.abs(self.values).max() or 1.0
        # Cells are as wide as each other, whatever lies between the values.
        x, y = (np.arange(len(own)) if cells else own for own, cells in zip((self.x, self.y), self.in_cells))
        mesh = self.ax_.pcolormesh(
            x, y, self.values, cmap="RdBu_r", vmin=-most, vmax=most, rasterized=True,
            shading="nearest" if any(self.in_cells) else "gouraud",
        )  # fmt: skip
        if self.in_cells[0]:
            self.ax_.set_xticks(x, self.labels[0])
            self.ax_.vlines(x[1:] - 0.5, 0, 1, transform=self.ax_.get_xaxis_transform(), color="white", linewidth=2)
        if self.in_cells[1]:
            self.ax_.set_yticks(y, self.labels[1])
            self.ax_.hlines(y[1:] - 0.5, 0, 1, transform=self.ax_.get_yaxis_transform(), color="white", linewidth=2)
        bar = self.ax_.figure.colorbar(mesh, ax=self.ax_, label=_lines(f"effect on {self.target}"))
        bar.outline.set_visible(False)
        self.ax_.set(xlabel=_lines(self.names[0]), ylabel=_lines(self.names[1]))
        self.figure_ = self.ax_.figure
        return self


class SupportDisplay:
    """The sizes of the coefficients, grouped by the inputs that their columns look at, as in the paper's support figure.

    Parameters
    ----------
    supports : list of str
        Of each column.
    functions : list of str
        Of each column: cos, sin, …
    coefficients : array-like
    scale : {"linear", "log", "auto"}, default="auto"
        Of the sizes. auto takes the logarithm where a few sizes would dwarf all others.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    _COLORS = {"cos": _BLUE, "sin": _ORANGE, "identity": _INK, "kernel": _GREEN, "relu": _PURPLE, "tanh": _RED}
    _NAMES = {"identity": "line"}

    def __init__(self, supports, functions, coefficients, scale="auto"):
        self.scale = scale
        self.supports = list(supports)
        self.functions = list(functions)
        self.coefficients = np.asarray(coefficients, dtype=float)

    @classmethod
    def from_estimator(cls, estimator, *, most=12, scale="auto", class_of_interest=None, ax=None):
        """Draw the coefficients of a fitted estimator on the supports with the largest sums of sizes, at most so many.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Returns
        -------
        SupportDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        model = estimator.model_
        by_support = {}
        for variables, function, coefficient in model.columns:
            by_support.setdefault(tuple(variables), []).append((function, coefficient))
        largest = sorted(by_support, key=lambda own: -sum(abs(c) for _, c in by_support[own]))[:most]
        columns = [
            ("\n".join(model.inputs[j] for j in support), *column)
            for support in sorted(largest, key=lambda own: (len(own), own))
            for column in sorted(by_support[support])
        ]
        return cls(*(zip(*columns) if columns else ([], [], [])), scale=scale).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        SupportDisplay
        """
        groups = list(dict.fromkeys(self.supports))
        labels = ["\n".join(map(_short, group.splitlines())) for group in groups]
        slanted = max((len(line) for label in labels for line in label.splitlines()), default=0) > 8
        self.ax_ = _axes(ax, (max(4.2, 0.6 * len(groups)), 4.2 if slanted else 3.2))
        sizes = np.abs(self.coefficients)
        supports = np.array(self.supports)
        functions = np.array(self.functions)
        nonzero = sizes[sizes > 0]
        dwarfed = len(nonzero) > 0 and nonzero.max() > 100 * np.median(nonzero)
        log = self.scale == "log" or (self.scale == "auto" and dwarfed)
        bottom = nonzero.min() / 2 if log and len(nonzero) else 0
        # A group is as wide as every other, however many columns it has.
        places = np.zeros(len(sizes))
        for k, group in enumerate(groups):
            own = supports == group
            places[own] = k - 0.4 + 0.8 * (np.arange(own.sum()) + 0.5) / own.sum()
            if k % 2:
                self.ax_.axvspan(k - 0.5, k + 0.5, color="#f2f2f2", linewidth=0, zorder=0)
        for function in dict.fromkeys(self.functions):
            own = functions == function
            color = self._COLORS[function]
            self.ax_.vlines(places[own], bottom, sizes[own], color=color, linewidth=1.1)
            self.ax_.plot(places[own], sizes[own], "o", color=color, markersize=2.5, label=self._NAMES.get(function, function))
        self.ax_.set_xticks(
            range(len(groups)), [label.replace("\n", ", ") for label in labels] if slanted else labels, fontsize="small",
            **({"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if slanted else {}),
        )  # fmt: skip
        self.ax_.tick_params(axis="x", length=0)
        self.ax_.set(xlabel="inputs of the column", ylabel="size of the coefficient", xlim=(-0.5, max(1, len(groups)) - 0.5))
        self.ax_.set_yscale("log" if log else "linear")
        self.ax_.set_ylim(bottom=bottom)
        if len(set(self.functions)) > 1:
            self.ax_.legend(frameon=False, fontsize="small")
        self.figure_ = self.ax_.figure
        return self


class WaterfallDisplay:
    """One prediction taken apart: from the intercept to the prediction, a bar for what each term or input adds.

    Parameters
    ----------
    names : list of str
    parts : array-like
        What each adds, in the order in which it is drawn.
    intercept : float
    target : str
        What the parts sum to.
    prediction : float, default=None
        In the target's own units; None where that is the sum.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, names, parts, intercept, target, prediction=None):
        self.names = list(names)
        self.parts = np.asarray(parts, dtype=float)
        self.intercept = float(intercept)
        self.target = target
        self.prediction = prediction

    @classmethod
    def from_estimator(cls, estimator, X, row=0, *, by="term", most=10, class_of_interest=None, ax=None):
        """Draw the prediction of one row of X by a fitted estimator.

        Of a classifier of more than two classes, `class_of_interest` names the class whose model is drawn.

        Parameters
        ----------
        X : array-like or dataframe
        row : int, default=0
            Which row, from 0.
        by : {"term", "input"}, default="term"
            As in `explain`.
        most : int, default=10
            So many of the largest parts are drawn, the others as one.

        Returns
        -------
        WaterfallDisplay
        """
        estimator = _of_class(estimator, class_of_interest)
        refuse_unknown_kind(by)
        model = estimator.model_
        rows = len(X)
        if not -rows <= row < rows:
            raise ValueError(f"row {row} is out of range: X has {rows}.\nGive 0 to {rows - 1}.")
        values = np.asarray(estimator._inputs(X), dtype=float)[[row]]
        if by == "input":
            parts = model.input_values(np.asfortranarray(values), 0)
            parts = np.append(parts[0, 0], estimator._by_column(parts[:, 1:])[0])
            names = list(estimator._columns())
            for j, (column, part) in enumerate(estimator._columns_of_inputs()):
                if part == "value":
                    names[column] = valued(model, names[column], [j], values[0])
        else:
            names = [valued(model, brief_name(model, name, own), own, values[0]) for name, own, *_ in model.terms]
            parts = model.term_values(np.asfortranarray(values), 0)[0]
        order = np.argsort(-np.abs(parts[1:]), kind="stable")
        shown = [k for k in order[:most] if abs(parts[1 + k]) > 1e-4 * np.abs(parts[1:]).max()]
        drawn, sizes = [names[k] for k in shown], [parts[1 + k] for k in shown]
        if len(shown) < len(order):
            drawn.append(f"{len(order) - len(shown)} more")
            sizes.append(parts[1:].sum() - sum(sizes))
        own_units = None if model.target_form == "identity" else model.predict(np.asfortranarray(values), 0)[0]
        return cls(drawn, sizes, parts[0], model.fitted_target, own_units).plot(ax=ax)

    def plot(self, ax=None):
        """Draw into `ax`, or into a new figure.

        Returns
        -------
        WaterfallDisplay
        """
        rows = len(self.names)
        labels = [_lines(name) for name in self.names]
        longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
        self.ax_ = _axes(ax, (max(5.4, 3.8 + 0.09 * longest), 1.3 + 0.36 * max(2, rows)))
        ends = self.intercept + np.cumsum(self.parts)
        starts = ends - self.parts
        places = np.arange(rows)
        colors = [_BLUE if part >= 0 else _ORANGE for part in self.parts]
        self.ax_.barh(places, self.parts, left=starts, color=colors, height=0.62)
        # From the end of each bar to the next one.
        for place in places[:-1]:
            self.ax_.vlines(ends[place], place + 0.31, place + 0.69, color=_GREY, linewidth=0.8)
        for place, (part, start, end) in enumerate(zip(self.parts, starts, ends)):
            self.ax_.annotate(
                f"{part:+.3g}", (max(start, end), place), xytext=(4, 0), textcoords="offset points", va="center",
                color=_INK, fontsize="small",
            )  # fmt: skip
        last = ends[-1] if rows else self.intercept
        self.ax_.axvline(self.intercept, color=_PALE, linewidth=1, zorder=0)
        self.ax_.axvline(last, color=_GREY, linewidth=1, linestyle="--", zorder=0)
        self.ax_.set_yticks(places, labels)
        self.ax_.set_ylim(max(2, rows) - 0.4, -0.6)
        self.ax_.tick_params(axis="y", length=0)
        own = "" if self.prediction is None else f", which is {self.prediction:.4g}"
        self.ax_.set(xlabel=f"{self.target}: from {self.intercept:.4g} to {last:.4g}{own}")
        self.ax_.use_sticky_edges = False  # Room beside bars for their numbers.
        self.ax_.margins(x=0.16)
        self.figure_ = self.ax_.figure
        return self
