"""What the numbers were measured on and with."""

import importlib.metadata
import os
import pathlib
import platform
import re

import threadpoolctl

TICK = os.sysconf("SC_CLK_TCK")
PEERS = ["numpy", "scipy", "pandas", "scikit-learn", "spgl1", "interpret-core", "xgboost-cpu", "openturns", "SALib"]


def measure():
    return {
        "cpu": re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())[1],
        "cores": len(os.sched_getaffinity(0)),
        "load_at_start": os.getloadavg()[0],
        "python": platform.python_version(),
        "peers": {name: importlib.metadata.version(name) for name in PEERS},
        "blas": [
            {
                "of": pathlib.Path(pool["filepath"]).parent.name.removesuffix(".libs"),
                "name": pool["internal_api"],
                "version": pool["version"],
                "threads": pool["num_threads"],
                "kernel": pool.get("architecture"),
            }
            for pool in threadpoolctl.threadpool_info()
            if pool["user_api"] == "blas"
        ],
    }


class OtherWork:
    """The share of the machine that programs other than ours and the peers take: what spoils a measurement."""

    def __init__(self):
        self.start = self._now()

    @staticmethod
    def _now():
        # user nice system idle iowait irq softirq steal; a core that another virtual machine took is not ours, either.
        user, nice, system, idle, waiting, *rest = map(
            int, pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
        )
        busy = user + nice + system + sum(rest)
        return busy / TICK - sum(os.times()[:4]), (busy + idle + waiting) / TICK

    def share(self):
        other, total = (now - then for now, then in zip(self._now(), self.start))
        return max(other / total, 0.0) if total > 0 else 0.0  # A section that is skipped takes no tick.


def describe(machine):
    peers = ", ".join(f"{name} {version}" for name, version in machine["peers"].items())
    blas = "; ".join(
        f"{pool['of']}: {pool['name']} {pool['version']} ({pool['kernel']}), {pool['threads']} threads"
        for pool in machine["blas"]
    )
    return f"""{machine["cpu"]}, {machine["cores"]} cores, load {machine["load_at_start"]:.2f} at the start
Python {machine["python"]}, {peers}
BLAS of {blas}"""
