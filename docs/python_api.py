#!/usr/bin/env python3
"""Prints docs/python-api.md from the docstrings of the package: `make docs` writes it."""

import inspect

import shrimp
import shrimp.dask


def describe(signature):
    """Without types, which the docstrings give in words."""
    plain = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    signature = signature.replace(parameters=plain, return_annotation=signature.empty)
    return str(signature).replace("(self, /, ", "(").replace("(self, ", "(").replace("(self)", "()").replace("*, ", "")


def section(name):
    """A class with its methods."""
    cls = getattr(shrimp, name)
    if name.endswith("Regressor") and name != "ShrimpRegressor":
        return [f"## {name}", "", *baseline(cls), ""]
    lines = [f"## {name}", "", *quoted(cls)]
    for member, value in own_methods(cls):
        lines += [f"### {name}.{member}{describe(inspect.signature(value))}", "", *quoted(value)]
    return lines


def quoted(thing):
    return ["```text", inspect.cleandoc(thing.__doc__).rstrip(), "```", ""]


def baseline(cls):
    """Parameters and methods are those of ShrimpRegressor; which ones is all there is to say."""
    names = ", ".join(f"`{name}`" for name in inspect.signature(cls).parameters)
    return [inspect.cleandoc(cls.__doc__).splitlines()[0], "", f"Parameters, as in `ShrimpRegressor`: {names}."]


def own_methods(cls):
    """Methods of the package, not those of scikit-learn."""
    for member, value in inspect.getmembers(cls, callable):
        owner = next((base for base in cls.__mro__ if member in vars(base)), None)
        if member.startswith("_") or member.endswith("_request") or owner is None or not owner.__module__.startswith("shrimp"):
            continue
        yield member, value


def on_dask(name):
    """Only what differs from the estimator of one machine."""
    cls = getattr(shrimp.dask, name)
    lines = [f"### shrimp.dask.{name}", "", *quoted(cls)]
    for member, value in own_methods(cls):
        if value.__module__.startswith("shrimp.dask"):
            lines += [f"#### shrimp.dask.{name}.{member}{describe(inspect.signature(value))}", "", *quoted(value)]
    return lines


def main():
    lines = ["# Python API", "", "Made from the docstrings by `make docs`. [The quick start](python.md) comes first.", ""]
    lines += ["Regressors share the methods of `ShrimpRegressor`. Their properties `terms_`, `sobol_` and `path_` are tables.", ""]
    for name in shrimp.__all__:
        if name != "__version__":
            lines += section(name)
    lines += ["## shrimp.dask", "", "For tables that Dask holds in partitions: [dask.md](dask.md).", ""]
    for name in shrimp.dask.__all__:
        lines += on_dask(name)
    print("\n".join(lines).rstrip())


main()
