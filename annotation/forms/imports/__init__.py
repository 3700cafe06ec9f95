"""What each kind of file that people bring asks, and what is asked when it is checked again."""

from annotation.forms.imports.again import CheckForm
from annotation.forms.imports.kinds import FORMS

__all__ = ["FORMS", "CheckForm"]
