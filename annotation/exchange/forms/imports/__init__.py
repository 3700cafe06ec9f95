"""What each kind of file that people bring asks, and what is asked when it is checked again."""

from annotation.exchange.forms.imports.by_kind import FORMS, format_choices
from annotation.exchange.forms.imports.recheck import CheckForm

__all__ = ["FORMS", "CheckForm", "format_choices"]
