"""Texts of documents on a page."""

from django import template

from annotation.text import sanitise
from annotation.text.safe import SafeHtml

register = template.Library()


@register.filter
def sanitised(html: str) -> SafeHtml:
    """HTML of a document, sanitised once more."""
    return sanitise.shown(html)


@register.filter
def grouped(number: int) -> str:
    """12400 → 12,400."""
    return f"{number:,}"
