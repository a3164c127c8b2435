"""Estimators for tables in Dask's partitions: rows stay on the workers."""

try:
    import dask as _dask  # noqa: F401
except ImportError as error:
    raise ImportError("shrimp.dask needs dask, which is not installed.\nInstall it: pip install 'shrimp[dask]'.") from error

from ._estimators import ShrimpClassifier, ShrimpRegressor

__all__ = ["ShrimpClassifier", "ShrimpRegressor"]
