"""What a fit on a large cluster would take, from costs that are measured here: of a row in each pass, and of a merge.

    build/venv-python/bin/python bench/dask_scaling.py --rows 1e9 --workers 100

With R rows of d inputs on W workers of one thread each, in P partitions, n columns and S rows searched:

    time     R/W (t_look + t_draw + t_sum) + t_search + (⌈P/W⌉ - 1) t_merge + L (t_merge + a/b)
    bytes    P·300 + 3 S·8 (d + 3) + Q (W - 1) + a (W - 1 + W/8 + …)
    a        4 n² + 12 n, the bytes of an answer with sums; Q, those of the question about n columns
    L        ⌈log₈ W⌉ merges between workers, one after the other; b, the network's bytes in a second

How often partitions are read or computed for it (three times, or four with categories) comes on top.
"""

import argparse
import math
import time

from shrimp import _core
from shrimp.dask._partition_graphs import PartitionGraph
from shrimp.dask._partition_info import merge_info
from shrimp.dask._partition_tasks import TableInfo, inspect_partition, merge, respond

from dask_fit import NAMES, D, part


def seconds(action, times=1):
    """Of the processor."""
    start = time.process_time()
    for _ in range(times):
        result = action()
    return (time.process_time() - start) / times, result


def requests_of_fit(graph, info):
    """Requests of a fit of main effects, which has close to the largest number of basis functions."""
    import shrimp

    requests = []
    heading = merge_info([info])

    def respond_here(request):
        requests.append(request)
        return respond(graph, [], 0, request, TableInfo(NAMES, "y", []), 0, None).bytes

    one = shrimp.ShrimpRegressor(max_order=1, input_transform="none", target_transform="identity", memory=0.5, n_jobs=1)
    _core.fit_parts(respond_here, heading.rows, NAMES, "y", "", [], one._texts(), None)
    return requests


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e9)
    parser.add_argument("--workers", type=int, default=100)
    parser.add_argument("--partitions", type=int, default=4000)
    parser.add_argument("--bandwidth", type=float, default=1e8, help="bytes in a second")
    parser.add_argument("--search", type=float, default=60, help="seconds of the search, by the streaming fit's bench")
    arguments = parser.parse_args()

    frame = part(0, 40_000)
    graph = PartitionGraph({}, {}, [frame, "y", None, None, None], {})
    t_look, (info, _) = seconds(lambda: inspect_partition(graph, [], 0, True), 5)
    requests = requests_of_fit(graph, info)
    draw, sums = requests[0], requests[-1]
    table = TableInfo(NAMES, "y", [])
    t_draw, _ = seconds(lambda: respond(graph, [], 0, draw, table, 0, None))
    t_sum, answered = seconds(lambda: respond(graph, [], 0, sums, table, 0, None))
    t_merge, _ = seconds(lambda: merge([answered, answered]), 5)
    a = len(answered.bytes)
    n = round(math.sqrt(a / 4)) - 1
    rows = len(frame)
    per_row = (t_look + t_draw + t_sum) / rows
    R, W, P, b = arguments.rows, arguments.workers, arguments.partitions, arguments.bandwidth
    L = math.ceil(math.log(W, 8))
    between = sum(math.ceil(W / 8**k) for k in range(1, L)) + W - 1
    took = R / W * per_row + arguments.search + (math.ceil(P / W) - 1) * t_merge + L * (t_merge + a / b)
    sample = 3 * 50_000 * 8 * (D + 3)
    moved = P * 300 + sample + len(sums) * (W - 1) + a * between
    print(f"{n} columns, {a / 1e6:.2f} MB an answer, {len(sums) / 1e3:.0f} kB the question")
    print(f"look {1e9 * t_look / rows:.0f} ns a row, draw {1e9 * t_draw / rows:.0f}, sum up {1e9 * t_sum / rows:.0f}")
    print(f"merge {1e3 * t_merge:.1f} ms")
    print(f"{R:.0e} rows on {W} workers in {P} partitions: {took:.0f} s, {moved / 1e6:.0f} MB, 3 passes")
    print(f"  rows {R / W * per_row:.0f} s, search {arguments.search:.0f} s, merges {took - R / W * per_row - arguments.search:.1f} s")
    print(f"  sample {sample / 1e6:.0f} MB, sums {a * between / 1e6:.0f} MB, questions {len(sums) * (W - 1) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
