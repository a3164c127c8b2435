"""
Comparing methods on a small, noisy table
=========================================

Compare Shrimp with ridge regression and boosted trees on the progression of diabetes in 442 patients, then read the model.

About half of the variance is noise. The aim is to learn about the inputs rather than to gain a digit of R².
"""

# %%
# Cross-validate
# --------------
import matplotlib.pyplot as plt
import pandas as pd
from shrimp import LassoRegressor, MainEffectDisplay, ShrimpRegressor, TermsDisplay
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
estimators = {
    "Shrimp": ShrimpRegressor(random_state=0, quick_error=True),
    "Shrimp's Lasso": LassoRegressor(),
    "ridge regression": RidgeCV(),
    "boosted trees": HistGradientBoostingRegressor(random_state=0),
}
scores = pd.DataFrame(
    {
        name: cross_val_score(estimator, X, y, cv=5)
        for name, estimator in estimators.items()
    }
)
table = pd.DataFrame({"R²": scores.mean(), "standard error": scores.sem()})
print(table.round(3).to_string())

# %%
# Read the model
# --------------
# Most effects are linear: they have one basis function. The effect of ``s5`` is curved.

model = ShrimpRegressor(random_state=0, quick_error=True).fit(X, y)
print(
    model.terms_[["term", "basis_functions", "fraction"]]
    .query("fraction > 0.01")
    .round(3)
    .to_string(index=False)
)

figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
axes[0].boxplot(scores, orientation="horizontal", tick_labels=list(scores))
axes[0].set_xlabel("R² of five folds")
TermsDisplay.from_estimator(model, min_fraction=0.01, ax=axes[1])
MainEffectDisplay.from_estimator(model, "s5", X, ax=axes[2])
plt.show()

# %%
# One patient, term by term
# -------------------------
parts = model.predict_terms(X.iloc[[0]]).iloc[0]
largest = parts.drop("intercept").abs().nlargest(5).index
print(parts[["intercept", *largest]].round(1).to_string())
print(f"prediction   {parts.sum():.1f}")
