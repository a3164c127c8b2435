from shrimp import ShrimpRegressor
from sklearn.datasets import load_diabetes

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)  # 442 patients, ten measurements each
model = ShrimpRegressor().fit(X, y)
print(model.terms_[["term", "fraction"]].head(4).round(2))  # the measurements with the largest fraction of variance
print(model.predict_terms(X)[["intercept", "bmi", "s5", "bp"]].head(2).round(1))  # contributions to predictions
