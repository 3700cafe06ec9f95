"""What the overview of a collection says: what waits for people, and figures. Either app brings its own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """Something that waits, and the deed that ends it; without a deed, that nothing does.

    `address`: where the deed is done. `method`: "post" where a button there does it at once, with `step` if any.
    """

    text: str
    deed: str = ""
    address: str = ""
    method: str = "get"
    step: str = ""


@dataclass(frozen=True)
class Figure:
    """`address`: the page that says more. `note`: what it is of."""

    name: str
    value: str
    note: str
    address: str
