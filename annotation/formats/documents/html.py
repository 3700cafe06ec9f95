"""HTML of documents as it is stored: sanitised, and no longer than can be sanitised in good time."""

from annotation.text.sanitise import sanitise

MOST_HTML = 2 << 20  # bytes: sanitising takes about a second a megabyte
MOST_GROWTH = 5  # `&` becomes `&amp;`: so much longer may sanitised HTML be than what it was made of


def sanitised(source: str) -> str:
    """HTML to store. Raises `ValueError` for what is too long or nested too deeply."""
    if len(source.encode()) > MOST_HTML:
        raise ValueError(_too_long())
    return sanitise(source)


def sanitised_again(text: str) -> str:
    """HTML from another installation, to store here. The output of `sanitised` stays as it is."""
    length = len(text.encode())
    if length > MOST_HTML * MOST_GROWTH:
        raise ValueError(_too_long())
    clean = sanitise(text)
    if clean != text and length > MOST_HTML:
        raise ValueError(_too_long())
    return clean


def _too_long() -> str:
    return f"HTML longer than the limit of {MOST_HTML} bytes"
