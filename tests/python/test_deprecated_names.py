"""Names that were renamed in version 0.3 work with a FutureWarning until version 0.5."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
import shrimp
from shrimp import MainEffectDisplay, ShrimpClassifier, ShrimpRegressor, SparseRandomFeatures, TermsDisplay, _deprecated
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

OLD_VALUES = {"forms": "none", "target_form": "log", "law": "cauchy"}


def renamed(old):
    """Expects a warning that names the old and the new name, the releases and this file."""
    new = (_deprecated.PARAMETERS | _deprecated.ATTRIBUTES).get(old, "")
    return pytest.warns(FutureWarning, match=rf"{old} was renamed to {new}.* in version 0\.3 .*removed in version 0\.5")


@pytest.mark.parametrize("old", _deprecated.PARAMETERS)
def test_the_constructor_takes_old_names(old):
    new = _deprecated.PARAMETERS[old]
    with renamed(old) as caught:
        model = ShrimpRegressor(**{old: OLD_VALUES[old]})
    assert [warning.filename for warning in caught] == [__file__]
    assert getattr(model, new) == OLD_VALUES[old]
    assert repr(model) == f"ShrimpRegressor({new}={OLD_VALUES[old]!r})"


@pytest.mark.parametrize("old", _deprecated.PARAMETERS)
def test_set_params_takes_old_names(old):
    with renamed(old) as caught:
        model = ShrimpRegressor().set_params(**{old: OLD_VALUES[old], "order": 1})
    assert [warning.filename for warning in caught] == [__file__]
    assert (model.get_params()[_deprecated.PARAMETERS[old]], model.order) == (OLD_VALUES[old], 1)


@pytest.mark.parametrize("old", _deprecated.PARAMETERS)
def test_parameters_are_attributes_by_their_old_names(old):
    model = ShrimpRegressor()
    with renamed(old):
        setattr(model, old, OLD_VALUES[old])
    with renamed(old):
        assert getattr(model, old) == OLD_VALUES[old]
    assert getattr(model, _deprecated.PARAMETERS[old]) == OLD_VALUES[old]


def test_old_names_are_not_among_the_parameters():
    for cls in (ShrimpRegressor, ShrimpClassifier, SparseRandomFeatures, shrimp.LassoRegressor):
        assert _deprecated.PARAMETERS.keys().isdisjoint(inspect.signature(cls).parameters)
        assert _deprecated.PARAMETERS.keys().isdisjoint(cls().get_params())
        assert (_deprecated.PARAMETERS.keys() | _deprecated.ATTRIBUTES.keys()).isdisjoint(dir(cls()))


@pytest.mark.parametrize("act", [ShrimpRegressor, lambda **both: ShrimpRegressor().set_params(**both)])
def test_an_old_and_a_new_name_together_are_refused(act):
    with pytest.raises(TypeError, match="law and frequency_distribution are the same parameter.\nGive frequency_distribution"):
        act(law="normal", frequency_distribution="normal")


def test_classes_without_the_new_parameter_refuse_the_old_name():
    with pytest.raises(TypeError, match="LassoRegressor has no parameter 'forms'"):
        shrimp.LassoRegressor(forms="none")
    with pytest.raises(ValueError, match="target_form"):
        ShrimpClassifier().set_params(target_form="log")


def test_clones_and_pickles_of_a_model_with_an_old_name_do_not_warn():
    with renamed("law"):
        model = SparseRandomFeatures(law="cauchy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert clone(model).frequency_distribution == "cauchy"
        assert pickle.loads(pickle.dumps(model)).frequency_distribution == "cauchy"


def test_searches_and_pipelines_take_old_names(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), ShrimpRegressor(method="shrimp", features=30))
    with renamed("law"):
        search = GridSearchCV(pipeline, {"shrimpregressor__law": ["normal", "cauchy"]}, cv=2).fit(X, y)
    assert search.best_estimator_[-1].frequency_distribution in ("normal", "cauchy")


@pytest.mark.parametrize("old", _deprecated.ATTRIBUTES)
def test_fitted_attributes_have_their_old_names(old, fitted):
    with renamed(old) as caught:
        value = getattr(fitted, old)
    assert [warning.filename for warning in caught] == [__file__]
    assert value is getattr(fitted, _deprecated.ATTRIBUTES[old])


def test_attributes_of_several_classes_have_their_old_names(data):
    X, y = data
    model = ShrimpClassifier(quick_error=True, max_order=1).fit(X, np.digitize(y, [-0.5, 0.5]))
    with renamed("n_columns_"):
        assert model.n_columns_ == model.n_basis_functions_
    assert list(model.n_basis_functions_) == [0, 1, 2]


def test_an_estimator_that_is_not_fitted_has_no_old_attributes():
    for model in (ShrimpRegressor(), ShrimpClassifier()):
        assert not hasattr(model, "n_columns_")


def test_pickles_of_older_releases_are_read(fitted):
    state = fitted.__getstate__()
    old_names = {new: old for old, new in (_deprecated.PARAMETERS | _deprecated.ATTRIBUTES).items()}
    old = ShrimpRegressor.__new__(ShrimpRegressor)
    old.__setstate__({old_names.get(name, name): value for name, value in state.items()})
    assert old.get_params() == fitted.get_params()
    assert old.n_basis_functions_ == fitted.n_basis_functions_


def test_simplify_takes_columns(fitted):
    with pytest.warns(FutureWarning, match="argument columns was renamed to basis_functions"):
        smaller = fitted.simplify(columns=20)
    assert smaller.n_basis_functions_ == 20
    with pytest.raises(TypeError, match="columns and basis_functions are the same argument"):
        fitted.simplify(columns=20, basis_functions=20)


def test_displays_take_old_arguments_and_attributes(fitted):
    with pytest.warns(FutureWarning, match="argument most was renamed to max_terms"):
        display = TermsDisplay.from_estimator(fitted, most=1)
    with pytest.warns(FutureWarning, match="attribute shares was renamed to fractions"):
        assert display.shares is display.fractions
    with pytest.warns(FutureWarning, match="argument shares was renamed to fractions"):
        MainEffectDisplay("x", [0, 1], [0, 1], [0, 1], "y", shares=[0.5, 0.5])


def test_new_names_do_not_warn(fitted, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        dir(fitted)
        fitted._repr_html_()
        repr(fitted.set_params(**fitted.get_params()))
        assert fitted.simplify(basis_functions=20).n_basis_functions_ == 20
