"""The parameters of a fit, from the library's own table: names, defaults, ranges and help are written there alone."""

import dataclasses
import functools
import inspect
import numbers
import re
import textwrap

from . import _core
from ._threads import threads_for

# Names that scikit-learn users know, and one that Python has a use of its own for.
_RENAMED = {"lambda": "alpha", "seed": "random_state", "threads": "n_jobs", "no-standardize": "standardize"}

# Lists of terms, of which the empty one is called none.
_TERMS = ("include", "exclude")

_OWN_HELP = {
    "include": (
        "list of str and of tuples of str",
        "Terms that the model must have: names of inputs, names joined by a star as in 'x1*x3', or tuples of names as in "
        "`terms_.inputs`. One string is read as the command line reads it.",
    ),
    "exclude": (
        "list of str and of tuples of str",
        "Inputs to leave out of every term, and single terms to leave out, given as for include, whose terms must not have "
        "such an input.",
    ),
    "random_state": (
        "int, RandomState instance or None",
        "Seed of the weights and of the split into rows to fit and to choose by. None draws one.",
    ),
    "n_jobs": (
        "int or None",
        "Threads to use. None takes what OMP_NUM_THREADS and threadpoolctl allow, every core unless they say less; "
        "-1 takes every core.",
    ),
    "standardize": ("bool", "Scale inputs and target to mean 0 and variance 1 first."),
    "validation": (
        "a fraction above 0 and below 1",
        "Rows held out at random to choose the model by, unless `fit` gets X_val and y_val.",
    ),
    "verbose": ("int", "Above 0, show the progress of the fit on standard error."),
}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter as Python sees it; `text_name` is its name in the table, on the command line and in model files."""

    name: str
    text_name: str
    default: object
    range: str
    help: str

    def text(self, value):
        """The value as the command line would have it. None is the default, except where it can be none at all."""
        if value is None:
            value = "none" if self.can_be_none else self.default
        if self.name in _TERMS:
            return _terms_text(value)
        return _text(not value if self.name == "standardize" else value)

    def value(self, text):
        """The value that a model file has as text: several are a list."""
        if text == "none" and self.can_be_none:
            return None
        if self.name in _TERMS:
            return _terms_value(text)
        if "," in text:
            return [_value(part) for part in text.split(",")]
        value = _value(text)
        return not value if self.name == "standardize" else value

    @property
    def can_be_none(self):
        return ", or none" in self.range and self.name not in _TERMS


def texts_of(estimator):
    """The parameters that were set, as the command line would have them; the others are left to the library."""
    pairs = [(p, getattr(estimator, p.name)) for p in estimator._parameters.values()]
    texts = {p.text_name: p.text(value) for p, value in pairs if p.text(value) != p.text(p.default)}
    texts["threads"] = str(threads_for(estimator.n_jobs))
    seed = estimator.random_state
    if not isinstance(seed, numbers.Integral):
        from sklearn.utils import check_random_state

        texts["seed"] = str(check_random_state(seed).randint(2**31 - 1))
    return texts


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
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays.
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


def _terms_text(value):
    """A list of terms, each a string or several names. Quotes keep the names whole; a string in them is a name, or names
    joined by stars, as the library sees fit."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return _text(value)
    terms = [term if isinstance(term, (list, tuple)) else [term] for term in value]
    return ",".join("*".join(_quoted(name) for name in term) for term in terms) or "none"


def _terms_value(text):
    """The list of terms that the library writes: texts as they were given, and tuples of quoted names."""
    terms = []
    for quoted, plain in re.findall(r'((?:"(?:[^"]|"")*"\*?)+)|([^",]+)', "" if text == "none" else text):
        names = [name.replace('""', '"') for name in re.findall(r'"((?:[^"]|"")*)"', quoted)]
        terms.append(plain or (names[0] if len(names) == 1 else tuple(names)))
    return terms


def _quoted(name):
    return '"' + str(name).replace('"', '""') + '"'


def _python_parameter(row):
    name = _RENAMED.get(row["name"], row["name"].replace("-", "_"))
    default = _value(row["default"])
    if name == "n_jobs":
        default = None
    if name == "standardize":
        default = not default
    range_, help_ = _OWN_HELP.get(name, (row["range"] or "bool", row["help"]))
    return Parameter(name, row["name"], default, range_, help_)


@functools.cache
def table():
    """All parameters by their names in the library's table."""
    return {row["name"]: _python_parameter(row) for row in _core.parameters()}


def methods():
    return [row["name"] for row in _core.methods()]


def parameters_of(method):
    """Names of the parameters that a method takes, those of its own first; all of them for None."""
    if method is None:
        return list(table())
    own = {row["name"]: row["takes"] for row in _core.methods()}
    special = {"method"}.union(*own.values())
    return own[method] + [name for name in table() if name not in special]


def in_python_names(message):
    """An error about a parameter, which the library begins with its own name for it."""
    for text_name, parameter in table().items():
        if message.startswith(text_name + " "):
            return parameter.name + message[len(text_name) :]
    return message


_VERBOSE = Parameter("verbose", "", 0, *_OWN_HELP["verbose"])


def takes(*names, verbose=True, extra=()):
    """Gives a class these parameters of the table: an __init__ with keyword arguments, and their part of the docstring.

    Without names, all of them. `extra` parameters are the class's own.
    """
    chosen = [table()[name] for name in names or table()]
    shown = [*chosen, *extra, _VERBOSE] if verbose else [*chosen, *extra]

    def decorate(cls):
        cls.__init__ = _make_init(cls, shown)
        cls._parameters = {parameter.name: parameter for parameter in chosen}
        cls.__doc__ = inspect.cleandoc(cls.__doc__).replace("{parameters}", "\n".join(map(_document, shown)))
        return cls

    return decorate


def _make_init(cls, parameters):
    """scikit-learn reads the parameters off the signature, so the signature is explicit though the code is not."""
    signature = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *(inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default) for p in parameters),
        ]
    )

    def __init__(self, **values):
        unknown = values.keys() - signature.parameters.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no parameter {sorted(unknown)[0]!r}")
        for parameter in parameters:
            setattr(self, parameter.name, values.get(parameter.name, parameter.default))

    __init__.__signature__ = signature
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    return __init__


def _document(parameter):
    help_ = textwrap.fill(parameter.help, 116, initial_indent="    ", subsequent_indent="    ")
    return f"{parameter.name} : {parameter.range}, default={parameter.default!r}\n{help_}"
