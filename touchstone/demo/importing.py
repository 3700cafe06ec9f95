"""A file into the demo collection, as people bring one in on the pages."""

from typing import Any, BinaryIO

from annotation.exchange.steps.importing import publish_here, upload_here
from annotation.models import Collection, User
from annotation.text.watch import say_nothing


def import_file(
    collection: Collection, stream: BinaryIO, *, kind: str, filename: str, admin: User, **options: Any
) -> None:
    """Checked and published. `options` are those of the kind, as `upload_here` takes them."""
    options |= {"kind": kind, "filename": filename, "created_by": admin}
    record = upload_here(collection, stream=stream, watch=say_nothing, **options)
    publish_here(record, actor=admin, watch=say_nothing)
