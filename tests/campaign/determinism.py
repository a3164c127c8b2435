"""Methods × threads × kernels of OpenBLAS: the same bytes on any number of threads; on other kernels the same terms and
columns, and predictions that are equal to 1e-6."""

import json
import os
import pathlib
import tempfile

from workplace import METHODS, Findings, options, run, write_table

THREADS = [1, 2, 5]
KERNELS = ["Haswell", "SkylakeX", "Zen"]


def has_avx512():
    return "avx512f" in pathlib.Path("/proc/cpuinfo").read_text()


def predictions(model, table):
    return [float(line) for line in run("predict", model, table).stdout.decode().split()[1:]]


def shape_of(model):
    content = json.loads(model.read_text())
    columns = [(feature.get("variables"), sorted(set(feature) & {"cos", "sin"})) for feature in content.get("features", [])]
    return [term["variables"] for term in content["terms"]], columns


def fit_all(method, folder, table, kernels, findings):
    """One model for each number of threads, of which one is returned."""
    models = []
    for threads in THREADS:
        model = folder / f"{method}-{threads}-{kernels}.json"
        # harfe and srfe-s choose their sizes from a grid; a small table keeps all of them to seconds.
        done = run("fit", table, "--target", "y", "--method", method, "--features", 100, "--quiet", "--threads", threads,
                   "--output", model, env=os.environ | {"OPENBLAS_CORETYPE": kernels})  # fmt: skip
        if done.returncode != 0:
            findings.add(f"{method} on {threads} threads, {kernels}: {done.stderr.decode()}")
            return None
        models.append(model)
    if len({model.read_bytes() for model in models}) > 1:
        findings.add(f"{method}, {kernels}: other bytes on other numbers of threads")
    return models[0]


def main():
    chosen = options(__doc__, rows=120)
    findings = Findings("determinism")
    kernels = [name for name in KERNELS if name != "SkylakeX" or has_avx512()]
    fits = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table = write_table(folder / "table.csv", rows=chosen.rows, seed=chosen.seed)
        for method in METHODS:
            models = [fit_all(method, folder, table, each, findings) for each in kernels]
            fits += len(THREADS) * len(kernels)
            if None in models:
                continue
            first = predictions(models[0], table)
            size = max(abs(value) for value in first)
            for each, model in zip(kernels[1:], models[1:]):
                if shape_of(model)[0] != shape_of(models[0])[0]:
                    findings.add(f"{method}: other terms on {each}")
                elif shape_of(model)[1] != shape_of(models[0])[1]:
                    findings.add(f"{method}: other columns on {each}")
                gap = max(abs(a - b) for a, b in zip(first, predictions(model, table)))
                if gap > 1e-6 * size:
                    findings.add(f"{method}: predictions on {each} differ by {gap / size:.1e}")
    findings.end(f"{fits} fits: {len(METHODS)} methods, threads {THREADS}, kernels {', '.join(kernels)}")


if __name__ == "__main__":
    main()
