"""Names of the extension module: the one place that knows how they differ from the names of the Python package."""

# Columns of the table of the path, where the library calls them otherwise.
_PATH_COLUMNS = {"columns": "basis_functions", "gap": "duality_gap"}

# Keys of the results in a model file, and their names in older files.
_OLD_RESULTS = {
    "fraction_above_order_three": "share_above_three",
    "covariance_fraction": "covariance_share",
}


def path_of(result):
    """The path of a fit, as a dict of columns."""
    return {_PATH_COLUMNS.get(name, name): values for name, values in result.path.items()}


def duality_gap_of(result):
    """The relative duality gap at which a fit ended."""
    return result.gap


def result_of(model, name, default=None):
    """A result in a model file, also of a file with the older name of it."""
    return model.results.get(name, model.results.get(_OLD_RESULTS.get(name, name), default))


def n_basis_functions_of(model):
    """The number of basis functions of a model."""
    return model.n_columns


def transforms_of(model):
    """Transforms of inputs by name, for inputs that have one."""
    return model.forms


def target_transform_of(model):
    """The transform of the target: "identity", "log" or "sqrt"."""
    return model.target_form


def basis_functions_of(model):
    """For each basis function its inputs (by index), the name of its function, and its coefficient."""
    return model.columns


def fitted_results_of(model, names):
    """Results on the scale of the fitted target, which may be transformed."""
    prefix = "" if target_transform_of(model) == "identity" else "form_"
    return [model.results.get(prefix + name) for name in names]
