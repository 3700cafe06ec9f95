"""Nothing starts on a machine that does not belong to its installation."""

from annotation.kernel.commands.base import RefusedError
from annotation.kernel.installation import MisplacedError, join_installation


def require_joined() -> None:
    """Raises `RefusedError` where the stored files, the secret key or the clock of this machine are not the others'."""
    try:
        join_installation()
    except MisplacedError as reason:
        raise RefusedError(str(reason)) from reason
