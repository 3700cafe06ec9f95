"""What the overview of a collection says: what waits for people, and figures. Either app brings its own."""

from dataclasses import dataclass, field

from django import forms


@dataclass(frozen=True)
class Task:
    """Something that waits, and the deed that ends it; without a deed, that nothing does.

    `address`: where the deed is done. `method`: "post" where a button there does it at once, with `step` if any.
    `form`: what is asked before, in place; then `confirm` says on the button what is done.
    """

    text: str
    deed: str = ""
    address: str = ""
    method: str = "get"
    step: str = ""
    form: forms.Form | None = field(default=None, compare=False)
    confirm: str = ""


@dataclass(frozen=True)
class Figure:
    """`address`: the page that says more. `note`: what it is of."""

    name: str
    value: str
    note: str
    address: str
