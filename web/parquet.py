"""Exports as Parquet, for those who have its library: ``pip install "catwalk[parquet]"``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final

WANTED: Final = "expected the package pyarrow for Parquet, found none: pip install 'catwalk[parquet]'"
_IN_MEMORY: Final = 16 * 1024 * 1024
_GROUP: Final = 20_000
_PIECE: Final = 256 * 1024
_WHOLE: Final = frozenset(
    {
        *("finding", "round", "recording", "seat", "hand", "number", "first_ms", "last_ms"),
        *("ordinal", "start_ms", "end_ms", "findings", "undetermined"),
    }
)
_SHARES: Final = frozenset({"probability"})


def is_possible() -> bool:
    """Return whether the library is installed."""
    return find_spec("pyarrow") is not None


def parquet_file(columns: Sequence[str], rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield the rows as a Parquet file; whole numbers and shares are numbers, the rest is text."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and large
    from pyarrow import parquet  # noqa: PLC0415

    schema = pa.schema([(name, pa.int64() if name in _WHOLE else _text_or_share(pa, name)) for name in columns])
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            while group := list(islice(rows, _GROUP)):
                wanted = [{name: row[name] for name in columns} for row in group]
                writer.write_table(pa.Table.from_pylist(wanted, schema=schema))
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _text_or_share(pa: Any, name: str) -> Any:
    return pa.float64() if name in _SHARES else pa.string()
