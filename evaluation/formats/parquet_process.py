"""The process that decodes a Parquet file, run as a script by `parquet_batches`; it needs polars alone.

Arguments: the file, how many rows a batch has, its columns as JSON. It writes pieces, each a letter
and its length before it: F, a frame as Arrow IPC, of which the first has no row but all columns; E,
an error in words; . the end. It ends with its parent.
"""

import ctypes
import json
import signal
import sys
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import polars

FRAME, ERROR, END = b"F", b"E", b"."
LENGTH = 8  # bytes
PR_SET_PDEATHSIG = 1


def send(out: BinaryIO, kind: bytes, content: bytes | memoryview = b"") -> None:
    out.write(kind + len(content).to_bytes(LENGTH, "little"))
    out.write(content)
    out.flush()


def decode(path: str, rows: int, columns: list[str], out: BinaryIO) -> None:
    import polars as pl  # noqa: PLC0415 -- whoever starts this process does not wait for it

    try:
        table = pl.scan_parquet(path, glob=False)
        send(out, FRAME, _packed(pl.DataFrame(schema=table.collect_schema())))
        if columns:
            for frame in table.select(columns).collect_batches(chunk_size=rows, maintain_order=True):
                send(out, FRAME, _packed(frame))
        send(out, END)
    except pl.exceptions.PolarsError as fault:
        send(out, ERROR, str(fault).encode())


def _packed(frame: "polars.DataFrame") -> memoryview:
    stream = BytesIO()
    frame.write_ipc(stream)
    return stream.getbuffer()


def _end_with_parent() -> None:
    """Who tells a whole group of processes to end means the parent, which ends this one. On Linux the system does so
    when the parent is killed; elsewhere this ends at its next piece."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    _end_with_parent()
    decode(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]), sys.stdout.buffer)
