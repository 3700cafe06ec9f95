"""Vectors of queries and of documents: a form a file, all of them read into a `VectorTable`."""

from evaluation.formats.vectors.jsonl import JSONL
from evaluation.formats.vectors.npy import NPY
from evaluation.formats.vectors.parquet import PARQUET
from evaluation.formats.vectors.safetensors import SAFETENSORS
from evaluation.formats.vectors.vector_format import VectorFormat

FORMATS: tuple[VectorFormat, ...] = (NPY, PARQUET, JSONL, SAFETENSORS)  # the last begins with a length: any bytes
