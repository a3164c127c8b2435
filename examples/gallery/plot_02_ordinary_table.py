"""
Ordinary table with text, dates and missing cells
=================================================

Fit a table as it comes: a category, a date, a yes/no column and missing cells need no preparation.

Each row is a flat; the target is its rent. One flat in four has no year of construction, and these flats are cheap.
"""

# %%
# Make the table
# --------------
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import (
    MainEffectDisplay,
    ShrimpRegressor,
    TermsDisplay,
    WaterfallDisplay,
)

random = np.random.default_rng(0)
rows = 500
premium = {"Centre": 260, "Harbour": 90, "Hill": 40, "North": -60, "Works": -120}
flats = pd.DataFrame(
    {
        "area": random.uniform(25, 120, rows).round(1),
        "district": random.choice(list(premium), rows),
        "year": np.where(
            random.uniform(size=rows) < 0.75,
            random.integers(1890, 2021, rows),
            np.nan,
        ),
        "listed": pd.Timestamp("2024-01-01")
        + pd.to_timedelta(random.integers(0, 500, rows), "D"),
        "balcony": random.uniform(size=rows) < 0.4,
    }
)
rent = (
    150 + 8 * flats["area"] + flats["district"].map(premium) + 45 * flats["balcony"]
)
rent += 4 * (flats["area"] - 70) * (flats["district"] == "Centre")
rent += (0.012 * (flats["year"] - 1950) ** 2).fillna(-90)
rent = (rent + random.normal(0, 30, rows)).round().rename("rent")
print(flats.head(3).to_string())

# %%
# Fit and read
# ------------
# ``missing(year)`` is an input that the fit makes: 1 where the year is missing. The date has no effect, and no term.

model = ShrimpRegressor(random_state=0).fit(flats, rent)
print(f"estimated error: RMSE {model.validation_mse_**0.5:.1f} (the noise has 30)")
print(
    model.terms_[["term", "fraction", "p_value"]]
    .head(6)
    .round(3)
    .to_string(index=False)
)

# %%
# Plot the effects
# ----------------
# A category is drawn as one point for each level.

figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
TermsDisplay.from_estimator(model, min_fraction=0.005, ax=axes[0])
MainEffectDisplay.from_estimator(model, "district", flats, ax=axes[1])
MainEffectDisplay.from_estimator(model, "year", flats, ax=axes[2])
plt.show()

# %%
# Explain one prediction
# ----------------------
WaterfallDisplay.from_estimator(model, flats.iloc[[0]])
plt.show()
