"""A bundle: a whole collection in one zip, which another installation rebuilds to the same hashes."""

from annotation.formats.bundle.layout import (
    FORMAT,
    MANIFEST,
    VERSION,
    Manifest,
    MemberFacts,
    RowError,
    file_member,
    is_file,
    member_of,
)
from annotation.formats.bundle.reading import Bundle, is_bundle, open_bundle
from annotation.formats.bundle.writing import BundleWriter
from annotation.formats.bundle.zip_archive import ZIP_LIMITS, ZipLimits, open_zip

__all__ = [
    "FORMAT",
    "MANIFEST",
    "VERSION",
    "ZIP_LIMITS",
    "Bundle",
    "BundleWriter",
    "Manifest",
    "MemberFacts",
    "RowError",
    "ZipLimits",
    "file_member",
    "is_bundle",
    "is_file",
    "member_of",
    "open_bundle",
    "open_zip",
]
