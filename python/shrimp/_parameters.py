"""Parameters of a fit, made from the library's own table, which holds their names, defaults, ranges and help."""

import dataclasses
import functools
import inspect
import numbers
import re
import textwrap

from . import _core, _deprecated
from ._threads import threads_for

# Parameters that hold lists of terms. An empty list is written "none".
_TERM_LISTS = ("include", "exclude")

# Types for docstrings, where neither the default value nor a list of allowed words implies them.
_TYPES = {
    "loss": "str or callable",
    "random_state": "int, RandomState instance or None",
    "n_jobs": "int or None",
    "standardize": "bool",
    "include": "str, or list of str and tuple of str",
    "exclude": "str, or list of str and tuple of str",
    "max_order": "int or 'auto'",
    "max_terms": "int or 'auto'",
    "clip": "float or None",
    "budget": "float, str or None",
    "order": "int, str, list of int or 'auto'",
    "sigma2": "float or '1/q'",
    "prune": "float, list of float, 'one' or 'auto'",
    "threshold": "float, list of float or 'auto'",
    "ridge": "float, 'gcv' or 'auto'",
    "rcond": "float",
    "alpha": "float, list of float or 'auto'",
    "sparsity": "int, list of int, 'all' or 'auto'",
    "eta": "float",
    "max_iterations": "int or 'auto'",
    "gamma": "float, '1/2q' or 'auto'",
    "validation": "float",
    "memory": "float",
    "device_memory": "float",
    "verbose": "int",
    "class_weight": "dict, 'balanced' or None",
}

# Ranges and help where Python differs from the command line.
_PYTHON_HELP = {
    "include": (
        "",
        "Terms that the model must contain: names of inputs, names joined by a star as in 'x1*x3', or tuples of names as "
        "in `terms_.inputs`. A single string is parsed as on the command line.",
    ),
    "exclude": (
        "",
        "Inputs to exclude from every term, and single terms to exclude, given as for `include`. Terms of `include` must "
        "not contain an excluded input.",
    ),
    "loss": (
        "",
        "Loss function. Numbers have squared, huber (robust to outliers) and quantile. Counts have poisson, amounts above 0 "
        "gamma, and amounts that are often 0 tweedie. Classes have `ShrimpClassifier`. A callable of y and the predictions "
        "returns three arrays: the loss of each row, its gradient and its curvature.",
    ),
    "random_state": (
        "",
        "Seed of the random features and of the split into training and validation rows. None draws a seed.",
    ),
    "n_jobs": (
        "",
        "Number of threads; the model does not depend on it. None uses the limit of OMP_NUM_THREADS or threadpoolctl, else "
        "all cores. -1 uses all cores.",
    ),
    "standardize": ("", "Scale inputs and target to mean 0 and variance 1 before the fit."),
    "validation": (
        "above 0 and below 1",
        "Fraction of the rows that is held out at random as validation rows for model selection. Ignored if `fit` gets "
        "`X_val` and `y_val`.",
    ),
    "verbose": ("", "Show the progress of a fit on standard error if above 0."),
}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of an estimator; `text_name` is its name in the library's table."""

    name: str
    text_name: str
    default: object
    range: str
    help: str

    def text(self, value):
        """The value in the notation of the command line. None stands for the default, or for "none" if the range has it."""
        if value is None:
            value = "none" if self.can_be_none else self.default
        if self.name == "loss" and callable(value):
            return "custom"
        if self.name in _TERM_LISTS:
            return _text_of_terms(value)
        return _text(not value if self.name == "standardize" else value)

    def value(self, text):
        """The Python value of a text in a model file; several comma-separated values are a list."""
        if text == "none" and self.can_be_none:
            return None
        if self.name in _TERM_LISTS:
            return _terms_from_text(text)
        if "," in text:
            return [_value(part) for part in text.split(",")]
        value = _value(text)
        return not value if self.name == "standardize" else value

    @property
    def can_be_none(self):
        return ", or none" in self.range and self.name not in _TERM_LISTS

    @property
    def type(self):
        """The type as numpydoc writes it."""
        if self.name in _TYPES:
            return _TYPES[self.name]
        if isinstance(self.default, bool):
            return "bool"
        words = self._allowed_words()
        return "{" + ", ".join(map(repr, words)) + "}" if words else type(self.default).__name__

    def documentation(self):
        """The parameter's part of a numpydoc section."""
        # An input range of plain words is in the type already.
        needs_range = self.range and not isinstance(self.default, bool) and not self._allowed_words()
        help_ = f"{self.help} Allowed: {self.range}." if needs_range else self.help
        text = textwrap.fill(help_, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        return f"{self.name} : {self.type}, default={self.default!r}\n{text}"

    def _allowed_words(self):
        """The allowed values if the range is a plain list of words, such as "auto, keep, recompute"."""
        words = re.split(r", or |, | or ", self.range)
        are_words = len(words) > 1 and all(re.fullmatch(r"[a-z][a-z0-9-]*", word) for word in words)
        if not are_words:
            return []
        return words if self.default in words else [self.default, *words]


def _python_name(row):
    """The Python name of a parameter, from its row in the library's table."""
    return row["python_name"] or row["name"].replace("-", "_")


@functools.cache
def _python_names():
    """Python names of the parameters, by their names in the library's table."""
    return {row["name"]: _python_name(row) for row in _core.parameters()}


def texts_of(estimator):
    """Parameters that differ from their defaults, in the notation of the command line, by the library's names."""
    pairs = [(p, getattr(estimator, p.name)) for p in estimator._parameters.values()]
    texts = {p.text_name: p.text(value) for p, value in pairs if p.text(value) != p.text(p.default)}
    texts[table()["n_jobs"].text_name] = str(threads_for(estimator.n_jobs))
    seed = estimator.random_state
    if not isinstance(seed, numbers.Integral):
        from sklearn.utils import check_random_state

        texts[table()["random_state"].text_name] = str(check_random_state(seed).randint(2**31 - 1))
    return texts


def values_of(texts, parameters, method):
    """Values of those `parameters` that a model file has as texts, by Python names.

    Only parameters of the file's method are read. Validation rows that came from a file are no parameter in Python.
    """
    taken = {"method", *parameters_of(method)}
    python_names = _python_names()
    by_name = {python_names[text_name]: text for text_name, text in texts.items() if text_name in python_names}
    return {
        name: parameter.value(by_name[name])
        for name, parameter in parameters.items()
        if name in taken and name in by_name and (name, by_name[name]) != ("validation", "file")
    }


def _value(text):
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def _text(value, separator=","):
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):  # Numbers and arrays of NumPy.
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return separator.join(_text(item, "+") for item in value)
    return str(value)


def _text_of_terms(value):
    """A list of terms, each a string or several names, in the notation of the command line.

    Names are quoted. The library parses a string as one name, or as names joined by stars.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return _text(value)
    terms = [term if isinstance(term, (list, tuple)) else [term] for term in value]
    return ",".join("*".join(_quoted(name) for name in term) for term in terms) or "none"


def _terms_from_text(text):
    """The list of terms in a model file: unquoted terms as strings, quoted names as a name or a tuple of names."""
    terms = []
    for quoted, plain in re.findall(r'((?:"(?:[^"]|"")*"\*?)+)|([^",]+)', "" if text == "none" else text):
        names = [name.replace('""', '"') for name in re.findall(r'"((?:[^"]|"")*)"', quoted)]
        terms.append(plain or (names[0] if len(names) == 1 else tuple(names)))
    return terms


def _quoted(name):
    return '"' + str(name).replace('"', '""') + '"'


def _parameter_of(row):
    """A parameter from its row in the library's table."""
    name = _python_name(row)
    default = _value(row["default"])
    if name == "n_jobs":
        default = None
    if name == "standardize":
        default = not default
    # The command line separates values by commas, where Python takes a list.
    help_ = re.sub(r"Commas separate (candidates|\w+ to try)", r"A list gives \1", row["help"])
    range_, help_ = _PYTHON_HELP.get(name, (row["range"], help_))
    return Parameter(name, row["name"], default, range_, help_)


@functools.cache
def table():
    """All parameters by their Python names."""
    parameters = [_parameter_of(row) for row in _core.parameters()]
    return {parameter.name: parameter for parameter in parameters}


def methods():
    """Names of the methods."""
    return [row["name"] for row in _core.methods()]


def parameters_of(method):
    """Names of the parameters that a method uses, those specific to methods first. All parameters for None."""
    if method is None:
        return list(table())
    python_names = _python_names()
    used = {row["name"]: [python_names[name] for name in row["takes"]] for row in _core.methods()}
    specific = {"method"}.union(*used.values())
    return used[method] + [name for name in table() if name not in specific]


def in_python_names(message):
    """A message of the library that begins with the name of a parameter, with its Python name instead."""
    for parameter in table().values():
        if message.startswith(parameter.text_name + " "):
            if "-" in parameter.text_name:  # No other word of the message is spelled like it.
                return message.replace(parameter.text_name, parameter.name)
            return parameter.name + message[len(parameter.text_name) :]
    return message


_VERBOSE = Parameter("verbose", "", 0, *_PYTHON_HELP["verbose"])


def takes(*names, verbose=True, extra=()):
    """Class decorator: gives a class these parameters of the table, all of them by default.

    The class gets an `__init__` with keyword arguments, and their documentation in place of "{parameters}" in its
    docstring. `extra` parameters are the class's own.
    """
    chosen = [table()[name] for name in names or table()]
    shown = [*chosen, *extra, _VERBOSE] if verbose else [*chosen, *extra]

    def decorate(cls):
        cls._parameters = {parameter.name: parameter for parameter in chosen}
        cls.__init__ = _make_init(cls, shown)
        cls._documentation = "\n".join(parameter.documentation() for parameter in shown)
        document_parameters(cls)
        _deprecated.add_parameter_aliases(cls)
        return cls

    return decorate


def document_parameters(cls):
    """Class decorator: insert the documentation of the parameters in place of "{parameters}" in the docstring."""
    cls.__doc__ = inspect.cleandoc(cls.__doc__).replace("{parameters}", cls._documentation)
    return cls


def _make_init(cls, parameters):
    """An `__init__` with an explicit signature, from which scikit-learn reads the parameters."""
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *(inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default) for p in parameters),
        ]
    )
    renamed = _deprecated.renamed_parameters_of(cls)

    def __init__(self, **values):
        values = _deprecated.with_new_names(values, renamed, "parameter", 2)
        unknown = values.keys() - signature.parameters.keys()
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no parameter {sorted(unknown)[0]!r}.\nIts parameters are {', '.join(p.name for p in parameters)}."
            )
        for parameter in parameters:
            setattr(self, parameter.name, values.get(parameter.name, parameter.default))

    __init__.__signature__ = signature
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    return __init__
