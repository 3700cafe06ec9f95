"""Scripts and styles of a page, each with the hash of what the browser is to get: it runs nothing else.

What a module imports is told by its name alone: browsers have no hash for that.
"""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html

register = template.Library()


@register.simple_tag
def stylesheet(path: str) -> str:
    return format_html('<link rel="stylesheet" href="{}"{}>', static(path), _integrity(path))


@register.simple_tag
def module(path: str) -> str:
    """A script of ours: what it imports, it names itself."""
    return format_html('<script type="module" src="{}"{}></script>', static(path), _integrity(path))


@register.simple_tag
def script(path: str) -> str:
    """A script of another project, which runs before ours."""
    return format_html('<script src="{}"{} defer></script>', static(path), _integrity(path))


def _integrity(path: str) -> str:
    """The attribute; nothing where files are not served under the names of their content, as in most tests."""
    integrity_of = getattr(staticfiles_storage, "integrity_of", None)
    value = integrity_of(path) if integrity_of else ""
    return format_html(' integrity="{}"', value) if value else ""
