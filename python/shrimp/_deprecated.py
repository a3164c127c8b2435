"""Deprecated names: the tables of renamed parameters and attributes, and the one place that warns about them.

A name that was renamed in version 0.3 works with a `FutureWarning` in the releases 0.3 and 0.4 and is removed in 0.5.

- Constructor parameters: `__init__` and `set_params` accept the old keyword, warn, and set the new parameter. The old
  name is not in the signature, so `get_params`, `clone` and the representation of an estimator show new names alone.
  The old name also works as an attribute, with a warning.
- Fitted attributes: the old name is a property that warns and returns the new attribute.
- Keyword arguments of functions: the decorator `renamed_arguments` accepts the old keyword.
- Pickles of older releases: `__setstate__` renames what they contain.

Columns of tables (`terms_`, `path_`, `simplified_`, `sensitivity`) have their new names only.
"""

import functools
import warnings

from . import _core

SINCE = "0.3"
REMOVED_IN = "0.5"

# From the library's table of parameters, which has the names of the command line.
PARAMETERS = {
    old.replace("-", "_"): row["python_name"] or row["name"].replace("-", "_")
    for row in _core.parameters()
    for old in row["deprecated_names"]
}

ATTRIBUTES = {
    "n_columns_": "n_basis_functions_",
    "forms_": "transforms_",
    "target_form_": "target_transform_",
    "share_above_three_": "fraction_above_order_three_",
    "gap_": "duality_gap_",
}


def warn_renamed(what, old, new, stacklevel):
    """Warn that a name was renamed; `stacklevel` counts from the caller of this function."""
    warnings.warn(
        f"{what} {old} was renamed to {new} in version {SINCE} and will be removed in version {REMOVED_IN}.\nUse {new}.",
        FutureWarning,
        stacklevel=stacklevel + 1,
    )


def with_new_names(values, renamed, what, stacklevel):
    """Keyword arguments with old names replaced by new ones; warns for each old name."""
    if renamed.keys().isdisjoint(values):
        return values
    result = {name: value for name, value in values.items() if name not in renamed}
    for old in [name for name in values if name in renamed]:
        new = renamed[old]
        if new in result:
            raise TypeError(f"{old} and {new} are the same {what}.\nGive {new} alone.")
        warn_renamed(what, old, new, stacklevel + 1)
        result[new] = values[old]
    return result


def renamed_arguments(**renamed):
    """Decorator: the function also accepts these old keyword arguments, given as `old="new"`."""

    def decorate(function):
        @functools.wraps(function)
        def accept_old_names(*args, **kwargs):
            return function(*args, **with_new_names(kwargs, renamed, "argument", 2))

        return accept_old_names

    return decorate


def alias(old, new, what="attribute", is_writable=False):
    """A property that reads the attribute `new` under its old name, and writes it where `is_writable`."""

    def read(self):
        value = getattr(self, new)
        warn_renamed(what, old, new, 2)
        return value

    def write(self, value):
        warn_renamed(what, old, new, 2)
        setattr(self, new, value)

    doc = f"Deprecated name of `{new}`.\n\n.. deprecated:: {SINCE}\n    Use `{new}`; the old name is removed in version {REMOVED_IN}."
    return property(read, write if is_writable else None, doc=doc)


def renamed_parameters_of(cls):
    """Old names of the parameters of an estimator class, with the new ones."""
    return {old: new for old, new in PARAMETERS.items() if new in cls._parameters}


def add_parameter_aliases(cls):
    """Give an estimator class the old names of its parameters as attributes."""
    for old, new in renamed_parameters_of(cls).items():
        setattr(cls, old, alias(old, new, "parameter", is_writable=True))


class RenamedParameters:
    """Estimators that accept old names of their parameters in `set_params` and in pickles."""

    def set_params(self, **params):
        """Set parameters of the estimator.

        Parameters
        ----------
        **params : dict
            Parameters by name. Names that were renamed are accepted with a `FutureWarning`.

        Returns
        -------
        self : estimator
            The estimator itself.
        """
        return super().set_params(**with_new_names(params, renamed_parameters_of(type(self)), "parameter", 2))

    def __setstate__(self, state):
        renamed = renamed_parameters_of(type(self)) | ATTRIBUTES
        super().__setstate__({renamed.get(name, name): value for name, value in state.items()})

    def __dir__(self):
        hidden = PARAMETERS.keys() | ATTRIBUTES.keys()
        return [name for name in super().__dir__() if name not in hidden]


class RenamedAttributes:
    """Old names of fitted attributes, as properties that warn."""


for _old, _new in ATTRIBUTES.items():
    setattr(RenamedAttributes, _old, alias(_old, _new))
