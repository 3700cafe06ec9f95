"""Where an installation reads its pages, and where it keeps what it makes.

A checkout has everything beside `manage.py`. Installed from a wheel, pages and static files lie in
this package, and what is made goes to a folder of the person who runs it, never beside the code.
"""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
IS_CHECKOUT = (CHECKOUT / "manage.py").is_file()


def data_home() -> Path:
    """Where programs of this person keep data, by the XDG Base Directory Specification."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".local" / "share") / "touchstone"


PAGES = CHECKOUT if IS_CHECKOUT else PACKAGE  # holds templates/ and static/
HOME = CHECKOUT if IS_CHECKOUT else data_home()  # holds .env, and var unless TOUCHSTONE_VAR says otherwise
RELATIVE_TO = CHECKOUT if IS_CHECKOUT else Path.cwd()  # what relative paths of settings are relative to
VAR = HOME / "var" if IS_CHECKOUT else HOME
