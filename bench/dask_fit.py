"""A table of 40 terms that two small workers make from seeds: a fit by Dask beside the streaming fit of one process and
LightGBM's on Dask, in one run.

    build/venv-python/bin/python bench/dask_fit.py --rows 10000000 --limit 3GiB
"""

import argparse
import resource
import time

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

D, NOISE, TESTED = 20, 0.1, 20_000
NAMES = [f"x{j + 1}" for j in range(D)]


def truth(x):
    """Twenty curves and twenty products."""
    speed = 1 + np.arange(D) / 10
    return np.sin(x * speed) @ (0.5 + np.arange(D) / D) + (x * np.roll(x, -1, axis=1)) @ (0.3 + np.arange(D) / D / 2)


def part(seed, rows):
    random = np.random.default_rng([7, seed])
    x = random.uniform(-1, 1, (rows, D))
    frame = pd.DataFrame(x, columns=NAMES)
    frame["y"] = truth(x) + NOISE * random.normal(size=rows)
    return frame


def lengths(rows, parts):
    """Of very different size."""
    share = np.random.default_rng(3).uniform(0.2, 1.8, parts)
    cuts = np.round(np.concatenate([[0], np.cumsum(share / share.sum())]) * rows).astype(int)
    return np.diff(cuts).tolist()


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def worker_facts(dask_worker):
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, dask_worker.transfer_outgoing_bytes_total


def facts(client):
    return np.array(list(client.run(worker_facts).values()))


def report(name, seconds, before, after, mse, more=""):
    used = after - before
    peaks = " and ".join(f"{peak / 2**20:.0f} MiB" for peak in after[:, 1])
    print(
        f"{name}: {seconds:.0f} s, {used[:, 0].sum():.0f} s of the workers' processors, peaks {peaks}, "
        f"{used[:, 2].sum() / 1e6:.1f} MB sent by workers, MSE beside the truth {mse:.3g}{more}",
        flush=True,
    )


def run_dask(client, frame, test):
    import shrimp.dask

    before, start = facts(client), time.monotonic()
    model = shrimp.dask.ShrimpRegressor(max_order=2, input_transform="none", target_transform="identity", verbose=1)
    model.fit(frame, "y")
    seconds = time.monotonic() - start
    mse = np.mean((model.predict(test[NAMES]) - truth(test[NAMES].to_numpy())) ** 2)
    found = f", {len(model.terms_)} terms, {model.n_basis_functions_} columns, {model.transfers_.bytes / 1e6:.1f} MB counted"
    searched = model.model_.results["rows_searched"]
    report("shrimp.dask", seconds, before, facts(client), mse, f"{found}, {searched:.0f} rows searched")
    return model


def run_lightgbm(client, frame, test):
    import lightgbm

    before, start = facts(client), time.monotonic()
    frame = frame.persist()
    model = lightgbm.DaskLGBMRegressor(client=client, n_estimators=300, learning_rate=0.1, num_leaves=63, verbose=-1)
    model.fit(frame[NAMES], frame["y"])
    seconds = time.monotonic() - start
    mse = np.mean((model.to_local().predict(test[NAMES]) - truth(test[NAMES].to_numpy())) ** 2)
    report("lightgbm.dask, 300 trees", seconds, before, facts(client), mse)


def blocks(sizes):
    """The same rows in blocks of equal length."""
    from shrimp import _core

    size, rest = _core.rows_of_a_block, np.empty((0, D + 1))
    for seed, rows in enumerate(sizes):
        rest = np.vstack([rest, part(seed, rows).to_numpy()])
        for first in range(0, len(rest) - size + 1, size):
            block = rest[first : first + size]
            yield block[:, :D], np.ascontiguousarray(block[:, D]), None, None
        rest = rest[len(rest) // size * size :]
    if len(rest):
        yield rest[:, :D], np.ascontiguousarray(rest[:, D]), None, None


def run_streaming(sizes, test, memory):
    import shrimp
    from shrimp import _core

    start, used = time.monotonic(), processor_seconds()
    one = shrimp.ShrimpRegressor(max_order=2, input_transform="none", target_transform="identity", memory=memory)
    result = _core.fit_rows(lambda: blocks(sizes), NAMES, "y", "rows", one._texts(), None)
    one._take_fit(result)
    one._take_names(NAMES)
    mse = np.mean((one.predict(test[NAMES]) - truth(test[NAMES].to_numpy())) ** 2)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"one process, streaming: {time.monotonic() - start:.0f} s, {processor_seconds() - used:.0f} s of the processor, "
        f"peak {peak:.0f} MiB, MSE beside the truth {mse:.3g}, {len(one.terms_)} terms, {one.n_basis_functions_} columns, "
        f"{one.model_.results['rows_searched']:.0f} rows searched",
        flush=True,
    )
    return one


def cluster_of(arguments):
    return LocalCluster(
        n_workers=arguments.workers, threads_per_worker=1, memory_limit=arguments.limit, dashboard_address=None
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", default="3GiB", help="memory of a worker")
    parser.add_argument("--skip", nargs="*", default=[], choices=["lightgbm", "streaming"])
    arguments = parser.parse_args()
    sizes = lengths(arguments.rows, arguments.parts)
    test = part(10**6, TESTED)
    frame = dd.from_map(part, range(len(sizes)), sizes, meta=part(0, 1).iloc[:0])
    print(f"{arguments.rows} x {D} in {len(sizes)} partitions of {min(sizes)} to {max(sizes)} rows")
    # Workers that start on a busy machine need their time.
    dask.config.set({"distributed.comm.timeouts.connect": "180s"})
    with cluster_of(arguments) as cluster, Client(cluster) as client:
        model = run_dask(client, frame, test)
    if "lightgbm" not in arguments.skip:
        with cluster_of(arguments) as cluster, Client(cluster) as client:
            run_lightgbm(client, frame, test)
    if "streaming" not in arguments.skip:
        from dask.utils import parse_bytes

        one = run_streaming(sizes, test, 0.6 * parse_bytes(arguments.limit) / 2**30)
        a, b = model.predict(test[NAMES]), one.predict(test[NAMES])
        same = list(model.terms_.term) == list(one.terms_.term)
        print(f"terms the same: {same}; largest gap of predictions {np.max(np.abs(a - b) / np.abs(b).max()):.2g}")


if __name__ == "__main__":
    main()
