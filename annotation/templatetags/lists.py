"""Links within a list."""

from django import template
from django.template.context import RequestContext
from django.template.defaulttags import querystring

register = template.Library()


@register.simple_tag(takes_context=True)
def list_address(context: RequestContext, **changes: object) -> str:
    """The address of the page with other choices for the list that is drawn (`listed`, where there is one), back at its
    heading; of a part that looks again by itself, without the mark that it sends."""
    listed = context.get("listed")
    prefix, at = (listed.listing.prefix, listed.at) if listed else ("", "")
    return f"{querystring(context, None, mark=None, **{prefix + name: value for name, value in changes.items()})}{at}"
