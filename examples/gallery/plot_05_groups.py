"""
Groups: several rows of one patient
===================================

Rows of one patient resemble each other. If some of them train the model and others test it, the error looks smaller than it is for
new patients. Groups keep the rows of a patient together.
"""

# %%
# Make the table
# --------------
# 60 patients with 10 visits each. The target depends on the dose and on properties of a patient that no input measures.
# ``marker`` is nearly constant within a patient and unrelated to the target.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from shrimp import ShrimpRegressor

random = np.random.default_rng(0)


def visits(patients, first):
    patient = np.repeat(np.arange(first, first + patients), 10)
    level = np.repeat(random.normal(0, 1, patients), 10)
    marker = np.repeat(random.uniform(-1, 1, patients), 10)
    marker += random.normal(0, 0.001, 10 * patients)
    dose = random.uniform(0, 1, 10 * patients)
    X = pd.DataFrame({"dose": dose, "marker": marker})
    return X, np.sin(3 * dose) + level + random.normal(0, 0.1, len(dose)), patient


X, y, patient = visits(60, 0)
X_new, y_new, _ = visits(500, 60)

# %%
# Fit with and without groups
# ---------------------------
# Without groups the fit learns to recognise patients by their marker, and its estimated error is too small.

rows = []
for name, groups in [("without groups", None), ("with groups", patient)]:
    model = ShrimpRegressor(random_state=0).fit(X, y, groups=groups)
    rows.append(
        (name, model.validation_mse_, np.mean((model.predict(X_new) - y_new) ** 2))
    )
errors = pd.DataFrame(
    rows, columns=["fit", "estimated", "on new patients"]
).set_index("fit")
print(errors.round(2).to_string())

# %%
# Plot
# ----
ax = errors.plot.bar(rot=0, figsize=(5, 3.4), ylabel="mean squared error")
ax.set_xlabel("")
ax.legend(frameon=False)
plt.tight_layout()
plt.show()
