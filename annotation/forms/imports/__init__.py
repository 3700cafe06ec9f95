"""The files that people bring, and what is to be done with them."""

from annotation.forms.imports.again import CheckForm
from annotation.forms.imports.kinds import FORMS, free_pool_name
from annotation.forms.imports.upload import ImportForm, Upload, require_small_enough, too_large

__all__ = [
    "FORMS",
    "CheckForm",
    "ImportForm",
    "Upload",
    "free_pool_name",
    "require_small_enough",
    "too_large",
]
