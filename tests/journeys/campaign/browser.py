"""A person's browser without a screen: reads pages, fills in the forms it finds there, presses their buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.journeys.campaign.document_tree import Element, Tree, read_page

Value = str | bool | int | float | Sequence[str] | SimpleUploadedFile | list[SimpleUploadedFile]


@dataclass(frozen=True)
class Page:
    address: str
    status: int
    text: str

    @cached_property
    def tree(self) -> Tree:
        return read_page(self.text)

    @cached_property
    def words(self) -> str:
        return self.tree.words

    def link(self, text: str) -> str:
        """Where the link of this text leads."""
        addresses = [each.get("href") for each in self.tree.all("a") if each.words.startswith(text)]
        assert addresses, f"no link “{text}” on {self.address}: {self.words[:2000]}"
        return addresses[0]

    def form(self, button: str) -> tuple[Element, Element]:
        """The form with the button of this text, and the button."""
        for form in self.tree.all("form"):
            for each in form.all("button"):
                if each.words == button and not each.has("disabled"):
                    return form, each
        raise AssertionError(f"no button “{button}” on {self.address}: {self.words[:2000]}")

    def figures(self) -> dict[str, str]:
        """What the lists of figures say: name → value."""
        return {
            stat.words: next(
                element.words.removeprefix(f"{stat.words}:").strip()
                for element in value.all("a", "span")
                if "value" in element.get("class").split()
            )
            for block in self.tree.all("dl")
            if "stats" in block.get("class").split()
            for stat, value in zip(block.all("dt"), block.all("dd"), strict=True)
        }

    def table(self, *columns: str) -> list[dict[str, str]]:
        """The body of the one table that has these columns; a row is column → text."""
        for table in self.tree.all("table"):
            head = [cell.words for cell in table.all("th") if cell.get("scope") == "col"]
            if set(columns) <= set(head):
                rows = [row for body in table.all("tbody") for row in body.all("tr")]
                return [dict(zip(head, [cell.words for cell in row.all("th", "td")], strict=True)) for row in rows]
        raise AssertionError(f"no table with {columns} on {self.address}")


class Browser:
    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)

    def open(self, address: str) -> Page:
        """A page that must be there. A link may be whole or a path."""
        parts = urlsplit(address)
        page = self._page(self.client.get(parts.path + (f"?{parts.query}" if parts.query else ""), follow=True))
        assert page.status == 200, f"{address}: {page.status} {page.words[:1000]}"
        return page

    def refused(self, address: str) -> int:
        """How a page that is not for this person is answered."""
        return self.client.get(urlsplit(address).path).status_code

    def press(self, page: Page, button: str, **values: Value) -> Page:
        """Fill the form of this button and send it; what comes is the page after all redirects."""
        form, pressed = page.form(button)
        data = filled(form, values)
        if pressed.get("name"):
            data[pressed.get("name")] = pressed.get("value")
        answer = self._page(self.client.post(form.get("action") or page.address, data, follow=True))
        problems = [each.words for each in answer.tree.all("ul", "p") if each.get("role") == "alert"]
        problems += [each.words for each in answer.tree.all("ul") if "errorlist" in each.get("class")]
        assert answer.status == 200, f"“{button}” on {page.address}: {answer.status}, {problems or answer.words[:2000]}"
        assert not problems, f"“{button}” on {page.address}: {problems}"
        return answer

    def send(self, form: Element, **values: Value) -> Page:
        """Send a form whose button says nothing more; what comes is the page after all redirects."""
        return self._page(self.client.post(form.get("action"), filled(form, values), follow=True))

    def download(self, address: str) -> bytes:
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        assert "attachment" in answer["Content-Disposition"]
        return b"".join(answer) if answer.streaming else answer.content

    def _page(self, answer: Any) -> Page:
        query = answer.request.get("QUERY_STRING")
        address = answer.request["PATH_INFO"] + (f"?{query}" if query else "")
        return Page(address, answer.status_code, answer.content.decode())  # words are read however lines are broken


def file(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type="application/octet-stream")


def filled(form: Element, values: Mapping[str, Value]) -> dict[str, Any]:
    """The form as rendered, with these values put in. Choices are named by value or by what their label begins with."""
    data: dict[str, Any] = {}
    controls = list(form.all("input", "textarea", "select"))
    names = {control.get("name") for control in controls}
    assert values.keys() <= names | {"grade"}, f"no fields {values.keys() - names} in the form: {form.words[:1000]}"
    for name in names - {""}:
        mine = [control for control in controls if control.get("name") == name]
        value = _chosen(form, mine, values[name]) if name in values else _rendered(mine)
        if value is not None:
            data[name] = value
    return data | {name: values[name] for name in values.keys() - names}


def _rendered(controls: Sequence[Element]) -> object:
    """What a browser would send if nobody touched the field; None for nothing."""
    first = controls[0]
    if first.tag == "textarea":
        return "".join(child for child in first.children if isinstance(child, str))
    if first.tag == "select":
        options = list(first.all("option"))
        return next((option for option in options if option.has("selected")), options[0]).get("value")
    if first.get("type") in ("checkbox", "radio"):
        ticked = [each.get("value") or "on" for each in controls if each.has("checked")]
        return ticked or None
    return None if first.get("type") == "file" else first.get("value")


def _chosen(form: Element, controls: Sequence[Element], value: Value) -> object:
    if isinstance(value, bool):
        return "on" if value else None
    first = controls[0]
    if first.tag == "select":
        return _option({option.get("value"): option.words for option in first.all("option")}, str(value))
    if first.get("type") in ("checkbox", "radio"):
        offered = {each.get("value"): _words_beside(form, each) for each in controls}
        wanted = [value] if isinstance(value, str) else value
        assert not isinstance(wanted, int | float | SimpleUploadedFile)
        return [_option(offered, str(each)) for each in wanted]
    return value


def _option(offered: Mapping[str, str], wanted: str) -> str:
    if wanted in offered:
        return wanted
    values = [value for value, words in offered.items() if words == wanted or words.startswith(wanted + " ")]
    assert len(values) == 1, f"“{wanted}” is not one of {offered}"
    return values[0]


def _words_beside(form: Element, control: Element) -> str:
    return next((each.words for each in form.all("label") if each.get("for") == control.get("id")), "")
