"""Other regressions, each with what its users would tune: name -> predict(X, y, X_test, seed)."""

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LassoCV, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gp_ard

RATE, ROUNDS, PATIENCE = 0.05, 3000, 30  # Of both gradient boostings, which stop early by a tenth of the rows.


def lasso(X, y, X_test, seed):
    model = LassoCV(cv=5, max_iter=100_000, random_state=seed)
    return make_pipeline(StandardScaler(), model).fit(X, y).predict(X_test)


def ridge(X, y, X_test, seed):
    """Of a constant and linear terms; the penalty by leave-one-out."""
    return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-6, 6, 49))).fit(X, y).predict(X_test)


def boosting(X, y, X_test, seed):
    options = {"learning_rate": RATE, "max_iter": ROUNDS, "n_iter_no_change": PATIENCE, "validation_fraction": 0.1}
    return HistGradientBoostingRegressor(early_stopping=True, random_state=seed, **options).fit(X, y).predict(X_test)


def xgboost(X, y, X_test, seed):
    from xgboost import XGBRegressor

    X, X_held, y, y_held = train_test_split(X, y, test_size=0.1, random_state=seed)
    options = {"n_estimators": ROUNDS, "early_stopping_rounds": PATIENCE, "subsample": 0.8, "max_depth": 4}
    model = XGBRegressor(learning_rate=RATE, random_state=seed, **options)
    return model.fit(X, y, eval_set=[(X_held, y_held)], verbose=False).predict(X_test)


def ebm(X, y, X_test, seed):
    from interpret.glassbox import ExplainableBoostingRegressor

    return ExplainableBoostingRegressor(random_state=seed, n_jobs=1).fit(X, y).predict(X_test)


def gp(X, y, X_test, seed):
    return gp_ard.predict(X, y, X_test)


QUICK = {"Lasso": lasso, "ridge": ridge, "boosting": boosting}
ALL = QUICK | {"XGBoost": xgboost, "EBM": ebm, "GP-ARD": gp}
