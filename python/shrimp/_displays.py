"""Plots of a fitted model, as displays of scikit-learn: `from_estimator` computes the values and calls `plot`."""

import textwrap

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._binding import basis_functions_of, target_transform_of
from ._deprecated import alias, renamed_arguments
from ._display_values import MAX_DISCRETE_VALUES, column_of, discrete_values, range_of, text_of_value, with_values
from ._sensitivity import refuse_unknown_parts
from ._summary import brief_name

_INK = "#333333"
_BLUE = "#3b6ea5"
_ORANGE = "#d9822b"
_GREY = "#8c8c8c"
_GREEN = "#4a8f6a"
_PURPLE = "#8a5a9e"
_RED = "#b5473f"
_BROWN = "#8c6d46"
_TEAL = "#3f9aa5"
_PALE = "#d0d0d0"

_BAND_LEVEL = 0.9  # Probability of the bands around curves.


def _axes(ax, size):
    from matplotlib import pyplot

    if ax is None:
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _lines(label):
    """A label, wrapped if it is long."""
    return textwrap.fill(label, 32)


def _short(name):
    """The beginning and end of a long name."""
    return name if len(name) <= 24 else f"{name[:15]}…{name[-8:]}"


def _term_index(model, term):
    """The index of a term that is given by its name, by the name or index of an input, or by several of these."""
    terms = model.terms
    if isinstance(term, str):
        matches = [k for k, (name, *_) in enumerate(terms) if name == term]
    else:
        wanted = (term,) if isinstance(term, (int, np.integer)) else tuple(term)
        numbers = sorted(model.inputs.index(one) if isinstance(one, str) else int(one) for one in wanted)
        matches = [k for k, (_, variables, *_) in enumerate(terms) if list(variables) == numbers]
    if not matches:
        known = ", ".join(name for name, *_ in terms[:12])
        raise ValueError(f"the model has no term {term!r}.\nGive one of its terms. The largest are {known}.")
    return matches[0]


def _estimator_of_class(estimator, class_of_interest):
    """The estimator whose model is plotted: for a classifier of several classes, that of `class_of_interest`."""
    check_is_fitted(estimator)
    if hasattr(estimator, "_one"):
        return estimator._one(class_of_interest)
    if class_of_interest is not None:
        raise ValueError("class_of_interest applies only to classifiers.\nOmit it.")
    return estimator


def _first_of_order(model, order):
    for k, (_, variables, *_) in enumerate(model.terms):
        if len(variables) == order:
            return k
    what = "main effect" if order == 1 else "interaction of two inputs"
    raise ValueError(f"the model has no {what} to plot.\nSee terms_ for the terms that it has.")


def _center(model):
    """A row of medians, in which some inputs are varied."""
    return np.array([values[len(values) // 2] if len(values) else 0.0 for values, _ in model.marginals])


def _values_of(model, term, rows):
    return model.term_values(np.asfortranarray(rows), 0)[:, 1 + term]


class PrunePathDisplay:
    """Plot of the errors along the path, against the number of basis functions that remain.

    Parameters
    ----------
    path : DataFrame
        `path_` of a fitted estimator.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, PrunePathDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = PrunePathDisplay.from_estimator(model)
    >>> display.ax_.get_xlabel()
    'basis functions'
    """

    def __init__(self, path):
        self.path = path

    @classmethod
    def from_estimator(cls, estimator, *, class_of_interest=None, ax=None):
        """Plot the path of a fitted estimator.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : PrunePathDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        return cls(estimator.path_).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : PrunePathDisplay
            The display itself.
        """
        self.ax_ = _axes(ax, (5.2, 3.4))
        path = self.path[self.path["basis_functions"] > 0]
        validated = path["validation_mse"]
        self.ax_.plot(path["basis_functions"], path["train_mse"], color=_GREY, linestyle="--", label="training")
        self.ax_.plot(path["basis_functions"], validated, color=_BLUE, label="validation")
        chosen = path[path["chosen"]]
        self.ax_.plot(
            chosen["basis_functions"], chosen["validation_mse"], "o", color="white", markeredgecolor=_ORANGE, markersize=8,
            markeredgewidth=2, label="chosen",
        )  # fmt: skip
        self.ax_.set(xscale="log", xlabel="basis functions", ylabel="mean squared error")
        # Errors of interpolating models are rounding errors, and would compress the rest of a logarithmic axis.
        positive = validated[validated > 0]
        if len(positive):
            self.ax_.set_yscale("log")
            self.ax_.set_ylim(bottom=max(positive.min() / 10, np.finfo(float).tiny))
        self.ax_.invert_xaxis()
        self.ax_.legend(frameon=False)
        self.figure_ = self.ax_.figure
        return self


class TermsDisplay:
    """Bar chart of the largest terms by their fraction of variance.

    Parameters
    ----------
    names : list of str
        Names of the terms.
    fractions : array-like of shape (n_terms,)
        Fraction of variance of each term, largest first.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, TermsDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = TermsDisplay.from_estimator(model, max_terms=2)
    >>> display.names
    ['x1', '(x2, x3)']
    """

    @renamed_arguments(shares="fractions")
    def __init__(self, names, fractions):
        self.names = list(names)
        self.fractions = np.asarray(fractions)

    shares = alias("shares", "fractions")

    @classmethod
    @renamed_arguments(most="max_terms", least="min_fraction")
    def from_estimator(cls, estimator, *, max_terms=12, min_fraction=0.001, class_of_interest=None, ax=None):
        """Plot the terms of a fitted estimator.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        max_terms : int, default=12
            Maximum number of terms.
        min_fraction : float, default=0.001
            Minimum fraction of variance of a term.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : TermsDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        shown = [term for term in estimator.model_.terms[:max_terms] if term[3] >= min_fraction]
        names = [brief_name(estimator.model_, term[0], term[1]) for term in shown]
        return cls(names, [term[3] for term in shown]).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : TermsDisplay
            The display itself.
        """
        rows = max(2, len(self.names))
        labels = [_lines(name) for name in self.names]
        longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
        row_height = 0.42 if any("\n" in label for label in labels) else 0.32
        self.ax_ = _axes(ax, (max(5.2, 3.6 + 0.09 * longest), 0.8 + row_height * rows))
        places = np.arange(len(self.names))
        bars = self.ax_.barh(places, 100 * self.fractions, color=_BLUE, height=0.7)
        self.ax_.bar_label(bars, [f"{100 * fraction:.1f} %" for fraction in self.fractions], padding=3, color=_INK, fontsize="small")
        self.ax_.set_yticks(places, labels)
        self.ax_.set_ylim(rows - 0.4, -0.6)
        self.ax_.tick_params(axis="y", length=0)
        self.ax_.set(xlabel="fraction of variance, %")
        self.ax_.margins(x=0.15)
        self.figure_ = self.ax_.figure
        return self


class MainEffectDisplay:
    """Plot of a main effect: a curve with the distribution of the input below, or a point for each discrete value.

    Parameters
    ----------
    name : str
        Name of the input.
    grid : array-like of shape (n_points,)
        Values of the input.
    values : array-like of shape (n_points,)
        Effect at each value of the grid.
    rug : array-like of shape (n_rows,)
        Values of the input in the data, drawn as ticks.
    target : str
        Name of the target, with its transform.
    fractions : array-like of shape (n_points,), default=None
        Fraction of the rows at each value of the grid. The effect is then drawn as points, larger for more rows.
    band : pair of array-like, default=None
        Lower and upper bounds that contain the effect at each point with a probability of 90 %. None draws no band.
    labels : list of str, default=None
        Names of the values of the grid, if it is drawn as points.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, MainEffectDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = MainEffectDisplay.from_estimator(model, "x1", points=50)
    >>> len(display.grid)
    50
    """

    @renamed_arguments(shares="fractions")
    def __init__(self, name, grid, values, rug, target, fractions=None, band=None, labels=None):
        self.labels = labels
        self.band = band
        self.fractions = fractions
        self.name = name
        self.grid = grid
        self.values = values
        self.rug = rug
        self.target = target

    shares = alias("shares", "fractions")

    @classmethod
    def from_estimator(cls, estimator, term=None, X=None, *, points=200, class_of_interest=None, ax=None):
        """Plot a main effect of a fitted estimator.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        term : str or int, default=None
            Name or index of the input. None plots the main effect with the largest fraction of variance.
        X : array-like or dataframe of shape (n_samples, n_features), default=None
            Data for the rug, or for the sizes of points. None uses the values or quantiles that the model stores.
        points : int, default=200
            Number of points of the curve. Inputs with at most 10 distinct values in the training rows, and in X, are
            drawn as points instead.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : MainEffectDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        model = estimator.model_
        place = _first_of_order(model, 1) if term is None else _term_index(model, term)
        name, variables, *_ = model.terms[place]
        if len(variables) != 1:
            raise ValueError(f"{name} is not a main effect.\nPlot it with InteractionDisplay.")
        rug = np.asarray(model.marginals[variables[0]][0] if X is None else column_of(estimator, X, variables[0]), dtype=float)
        grid, fractions = discrete_values(model, variables[0])
        if grid is not None and X is not None and not model.levels[variables[0]]:
            grid, counts = np.unique(rug, return_counts=True)
            fractions = counts / len(rug)
        if grid is None or (len(grid) > MAX_DISCRETE_VALUES and not model.levels[variables[0]]):
            low, high = range_of(model, variables[0])
            grid, fractions = np.linspace(min(low, rug.min()), max(high, rug.max()), points), None
        rows = np.tile(_center(model), (len(grid), 1))
        rows[:, variables[0]] = grid
        band = model.term_band(variables, np.asfortranarray(grid[:, np.newaxis]), _BAND_LEVEL, 0)
        labels = [text_of_value(model, variables[0], value) for value in grid] if fractions is not None else None
        return cls(name, grid, _values_of(model, place, rows), rug, model.fitted_target, fractions, band, labels).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : MainEffectDisplay
            The display itself.
        """
        self.ax_ = _axes(ax, (4.2, 3.0))
        self.ax_.axhline(0, color=_GREY, linewidth=0.8, zorder=0)
        if self.fractions is None:
            self._draw_curve()
        else:
            self._draw_points()
        self.ax_.margins(y=0.12)
        self.ax_.set(xlabel=_lines(self.name), ylabel=_lines(f"effect on {self.target}"))
        self.figure_ = self.ax_.figure
        return self

    # zorder: the line of no effect is 0, bands are 2, and curves and points are 3.

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
        sizes = 16 + 110 * np.asarray(self.fractions) / max(self.fractions)
        self.ax_.scatter(self.grid, self.values, s=sizes, color=_BLUE, zorder=3)
        self.ax_.set_xticks(self.grid, self.labels or [f"{value:g}" for value in self.grid])
        if self.labels and sum(map(len, self.labels)) > 36:  # Longer names do not fit next to each other.
            self.ax_.tick_params(axis="x", rotation=45)
        self.ax_.margins(x=0.12)


class InteractionDisplay:
    """Heat map of the interaction of two inputs, without their main effects.

    Parameters
    ----------
    names : pair of str
        Names of the inputs.
    x : array-like of shape (n_x,)
        Values of the first input.
    y : array-like of shape (n_y,)
        Values of the second input.
    values : array-like of shape (n_y, n_x)
        Effect at each point of the grid.
    target : str
        Name of the target, with its transform.
    in_cells : pair of bool, default=(False, False)
        Whether x and y are all distinct values of their inputs, which are then drawn as cells of equal size.
    labels : pair of list of str, default=None
        Names of the values of x and y, if they are drawn as cells.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, InteractionDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = InteractionDisplay.from_estimator(model, ("x2", "x3"), points=20)
    >>> display.values.shape
    (20, 20)
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
        """Plot an interaction of two inputs of a fitted estimator.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        term : str or pair of str or int, default=None
            Name of the term, or its two inputs by name or index. None plots the interaction with the largest fraction of
            variance.
        points : int, default=80
            Number of points of the grid along each input. An input with at most 10 distinct values in the training rows
            has a cell for each of them.
        with_main_effects : bool, default=False
            Whether to add the main effects of both inputs.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : InteractionDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        model = estimator.model_
        place = _first_of_order(model, 2) if term is None else _term_index(model, term)
        name, variables, *_ = model.terms[place]
        if len(variables) != 2:
            raise ValueError(f"{name} is not an interaction of two inputs.\nGive the name of one, or two inputs.")
        discrete = [discrete_values(model, variable)[0] for variable in variables]
        x, y = (
            np.linspace(*range_of(model, variable), points) if own is None else own
            for variable, own in zip(variables, discrete)
        )
        rows = np.tile(_center(model), (len(x) * len(y), 1))
        rows[:, variables[0]] = np.tile(x, len(y))
        rows[:, variables[1]] = np.repeat(y, len(x))
        parts = model.term_values(np.asfortranarray(rows), 0)
        shown = [
            1 + k
            for k, (_, own, *_) in enumerate(model.terms)
            if list(own) == list(variables) or (with_main_effects and len(own) == 1 and own[0] in variables)
        ]
        values = parts[:, shown].sum(axis=1).reshape(len(y), len(x))
        names = tuple(model.inputs[variable] for variable in variables)
        labels = tuple([text_of_value(model, j, value) for value in own] for j, own in zip(variables, (x, y)))
        return cls(names, x, y, values, model.fitted_target, tuple(own is not None for own in discrete), labels).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : InteractionDisplay
            The display itself.
        """
        self.ax_ = _axes(ax, (4.4, 3.4))
        limit = np.abs(self.values).max() or 1.0
        # Cells have equal widths, whatever the distances between values.
        x, y = (np.arange(len(own)) if cells else own for own, cells in zip((self.x, self.y), self.in_cells))
        mesh = self.ax_.pcolormesh(
            x, y, self.values, cmap="RdBu_r", vmin=-limit, vmax=limit, rasterized=True,
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
    """Plot of the absolute values of the coefficients, grouped by the inputs of their basis functions.

    It is the support figure of the SHRIMP paper.

    Parameters
    ----------
    supports : list of str
        Inputs of each basis function, one per line.
    functions : list of str
        Function of each basis function, such as cos or sin.
    coefficients : array-like of shape (n_basis_functions,)
        Coefficients.
    scale : {"linear", "log", "auto"}, default="auto"
        Scale of the axis. "auto" is "log" if the largest absolute value is more than 100 times the median.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, SupportDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = SupportDisplay.from_estimator(model, max_supports=3)
    >>> display.ax_.get_ylabel()
    'absolute value of the coefficient'
    """

    _COLORS = {
        "cos": _BLUE, "sin": _ORANGE, "identity": _INK, "kernel": _GREEN, "relu": _PURPLE, "tanh": _RED, "step": _BROWN, "level": _TEAL,
    }  # fmt: skip
    _NAMES = {"identity": "linear", "level": "level of a category"}

    def __init__(self, supports, functions, coefficients, scale="auto"):
        self.scale = scale
        self.supports = list(supports)
        self.functions = list(functions)
        self.coefficients = np.asarray(coefficients, dtype=float)

    @classmethod
    @renamed_arguments(most="max_supports")
    def from_estimator(cls, estimator, *, max_supports=12, scale="auto", class_of_interest=None, ax=None):
        """Plot the coefficients of a fitted estimator, for the supports with the largest sums of absolute values.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        max_supports : int, default=12
            Maximum number of supports (sets of inputs).
        scale : {"linear", "log", "auto"}, default="auto"
            Scale of the axis.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : SupportDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        model = estimator.model_
        by_support = {}
        for variables, function, coefficient in basis_functions_of(model):
            by_support.setdefault(tuple(variables), []).append((function, coefficient))
        largest = sorted(by_support, key=lambda own: -sum(abs(c) for _, c in by_support[own]))[:max_supports]
        basis_functions = [
            ("\n".join(model.inputs[j] for j in support), *basis_function)
            for support in sorted(largest, key=lambda own: (len(own), own))
            for basis_function in sorted(by_support[support])
        ]
        return cls(*(zip(*basis_functions) if basis_functions else ([], [], [])), scale=scale).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : SupportDisplay
            The display itself.
        """
        groups = list(dict.fromkeys(self.supports))
        labels = ["\n".join(map(_short, group.splitlines())) for group in groups]
        slanted = max((len(line) for label in labels for line in label.splitlines()), default=0) > 8
        self.ax_ = _axes(ax, (max(4.2, 0.6 * len(groups)), 4.2 if slanted else 3.2))
        sizes = np.abs(self.coefficients)
        supports = np.array(self.supports)
        functions = np.array(self.functions)
        nonzero = sizes[sizes > 0]
        is_skewed = len(nonzero) > 0 and nonzero.max() > 100 * np.median(nonzero)
        log = self.scale == "log" or (self.scale == "auto" and is_skewed)
        bottom = nonzero.min() / 2 if log and len(nonzero) else 0
        # All groups have the same width, whatever their number of basis functions.
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
        self.ax_.set(xlabel="inputs of the basis function", ylabel="absolute value of the coefficient", xlim=(-0.5, max(1, len(groups)) - 0.5))
        self.ax_.set_yscale("log" if log else "linear")
        self.ax_.set_ylim(bottom=bottom)
        if len(set(self.functions)) > 1:
            self.ax_.legend(frameon=False, fontsize="small")
        self.figure_ = self.ax_.figure
        return self


class WaterfallDisplay:
    """Waterfall chart of one prediction: from the intercept to the prediction, a bar for each contribution.

    Parameters
    ----------
    names : list of str
        Names of the terms or inputs.
    contributions : array-like of shape (n_bars,)
        Contribution of each, in the order of the bars.
    intercept : float
        Intercept of the model.
    target : str
        Name of the target, with its transform.
    prediction : float, default=None
        Prediction in units of the target, if it differs from the sum because the target was transformed.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the plot.
    figure_ : matplotlib Figure
        Figure of the plot.

    Examples
    --------
    >>> import numpy as np
    >>> from shrimp import ShrimpRegressor, WaterfallDisplay
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = ShrimpRegressor(method="shrimp", order="1-2", features=50).fit(X, y)
    >>> display = WaterfallDisplay.from_estimator(model, X, row=0, max_bars=2)
    >>> len(display.names)
    3
    """

    @renamed_arguments(parts="contributions")
    def __init__(self, names, contributions, intercept, target, prediction=None):
        self.names = list(names)
        self.contributions = np.asarray(contributions, dtype=float)
        self.intercept = float(intercept)
        self.target = target
        self.prediction = prediction

    parts = alias("parts", "contributions")

    @classmethod
    @renamed_arguments(most="max_bars")
    def from_estimator(cls, estimator, X, row=0, *, by="term", max_bars=10, class_of_interest=None, ax=None):
        """Plot the contributions to the prediction for one row of X.

        Parameters
        ----------
        estimator : ShrimpRegressor or ShrimpClassifier
            Fitted estimator.
        X : array-like or dataframe of shape (n_samples, n_features)
            Inputs.
        row : int, default=0
            Index of the row, from 0. Negative indices count from the end.
        by : {"term", "input"}, default="term"
            Whether to plot the contributions of terms or of inputs, as in `explain`.
        max_bars : int, default=10
            Maximum number of contributions, largest first. The others are one more bar.
        class_of_interest : label, default=None
            With a classifier of more than two classes, the class whose model is plotted.
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : WaterfallDisplay
            The display, plotted.
        """
        estimator = _estimator_of_class(estimator, class_of_interest)
        refuse_unknown_parts(by)
        model = estimator.model_
        rows = len(X)
        if not -rows <= row < rows:
            raise ValueError(f"row {row} does not exist: X has {rows} rows.\nGive a row from 0 to {rows - 1}.")
        values = np.asarray(estimator._inputs(X), dtype=float)[[row]]
        if by == "input":
            parts = model.input_values(np.asfortranarray(values), 0)
            parts = np.append(parts[0, 0], estimator._by_column(parts[:, 1:])[0])
            names = list(estimator._columns())
            for j, (column, part) in enumerate(estimator._columns_of_inputs()):
                if part == "value":
                    names[column] = with_values(model, names[column], [j], values[0])
        else:
            names = [with_values(model, brief_name(model, name, own), own, values[0]) for name, own, *_ in model.terms]
            parts = model.term_values(np.asfortranarray(values), 0)[0]
        order = np.argsort(-np.abs(parts[1:]), kind="stable")
        shown = [k for k in order[:max_bars] if abs(parts[1 + k]) > 1e-4 * np.abs(parts[1:]).max()]
        bars, sizes = [names[k] for k in shown], [parts[1 + k] for k in shown]
        if len(shown) < len(order):
            bars.append(f"{len(order) - len(shown)} more")
            sizes.append(parts[1:].sum() - sum(sizes))
        prediction = None if target_transform_of(model) == "identity" else model.predict(np.asfortranarray(values), 0)[0]
        return cls(bars, sizes, parts[0], model.fitted_target, prediction).plot(ax=ax)

    def plot(self, ax=None):
        """Plot the values.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot into. None creates a figure.

        Returns
        -------
        display : WaterfallDisplay
            The display itself.
        """
        rows = len(self.names)
        labels = [_lines(name) for name in self.names]
        longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
        self.ax_ = _axes(ax, (max(5.4, 3.8 + 0.09 * longest), 1.3 + 0.36 * max(2, rows)))
        ends = self.intercept + np.cumsum(self.contributions)
        starts = ends - self.contributions
        places = np.arange(rows)
        colors = [_BLUE if part >= 0 else _ORANGE for part in self.contributions]
        self.ax_.barh(places, self.contributions, left=starts, color=colors, height=0.62)
        # Lines from the end of each bar to the next one.
        for place in places[:-1]:
            self.ax_.vlines(ends[place], place + 0.31, place + 0.69, color=_GREY, linewidth=0.8)
        for place, (part, start, end) in enumerate(zip(self.contributions, starts, ends)):
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
        self.ax_.use_sticky_edges = False  # Leaves room next to the bars for their numbers.
        self.ax_.margins(x=0.16)
        self.figure_ = self.ax_.figure
        return self
