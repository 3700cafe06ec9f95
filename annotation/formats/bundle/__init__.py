"""A bundle: a whole collection in one zip, which another installation rebuilds to the same hashes."""

from annotation.formats.bundle.layout import Manifest, RowError, file_member, is_file, member_of
from annotation.formats.bundle.reading import Bundle, is_bundle, open_bundle
from annotation.formats.bundle.writing import BundleWriter

__all__ = [
    "Bundle",
    "BundleWriter",
    "Manifest",
    "RowError",
    "file_member",
    "is_bundle",
    "is_file",
    "member_of",
    "open_bundle",
]
