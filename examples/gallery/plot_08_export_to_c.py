"""
Export to C, compile and run
============================

Write a model as a C function that needs no library but libm, compile it, and compare its predictions.
"""

# %%
# Fit
# ---
import ctypes
import pathlib
import subprocess
import tempfile

import matplotlib.pyplot as plt
import numpy as np
from shrimp import ShrimpRegressor

X = np.random.default_rng(0).uniform(-np.pi, np.pi, (400, 4))
y = np.sin(X[:, 0]) * (1 + 0.1 * X[:, 2] ** 4) + 7 * np.sin(X[:, 1]) ** 2
model = ShrimpRegressor(random_state=0, quick_error=True).fit(X, y)
source = model.export(to="c", name="ishigami")
print("\n".join(line[:100] for line in source.splitlines()[:6]))

# %%
# Compile and call
# ----------------
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name)
(path / "ishigami.c").write_text(source)
compile_library = "cc -O2 -shared -fPIC -o ishigami.so ishigami.c -lm"
subprocess.run(compile_library.split(), cwd=path, check=True)

function = ctypes.CDLL(path / "ishigami.so").ishigami
function.restype = ctypes.c_double
function.argtypes = [ctypes.POINTER(ctypes.c_double)]


def predict(row):
    return function(row.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))


new = np.random.default_rng(1).uniform(-np.pi, np.pi, (500, 4))
from_c = np.array([predict(np.ascontiguousarray(row)) for row in new])
from_python = model.predict(new)
print(f"largest difference: {np.abs(from_c - from_python).max():.1e}")

# %%
# Plot
# ----
figure, ax = plt.subplots(figsize=(4, 3.8), layout="constrained")
ax.plot(from_python, from_c, ".", markersize=3)
ax.axline((0, 0), slope=1, linewidth=0.8, color="grey")
ax.set(xlabel="prediction in Python", ylabel="prediction of the C function")
plt.show()
