"""How forms are drawn: one that was refused comes back with the focus where it is wrong, without a
script, too; what may stay empty is called optional; and selects of hundreds of options in half the
time, with room for the longest."""

from typing import Any

from django.forms import BoundField, ModelChoiceField
from django.forms.renderers import DjangoTemplates
from django.forms.widgets import Select, Widget
from django.template import loader
from django.utils.choices import flatten_choices

SELECT = "components/select.html"
LONG, LONGER = 20, 45  # characters of a choice that one column of a grid of fields has no room for, and two have not


class FocusingField(BoundField):
    """The first wrong field of a refused form takes the focus, unless its summary of errors does: that stands above.

    A group of choices leaves it to its fieldset, as it does with what describes it.
    """

    @property
    def takes_focus(self) -> bool:
        errors = self.form.errors
        if not errors or self.form.non_field_errors():
            return False
        return self.name == next((name for name in self.form.fields if name in errors), None)

    @property
    def may_stay_empty(self) -> bool:
        """Not where a list begins with a choice: it has one always, though an address may leave it out."""
        if self.field.required or self.widget_type != "select":
            return not self.field.required
        first, _ = next(iter(getattr(self.field, "choices", ())), ("", ""))
        return not first

    @property
    def room(self) -> str:
        """Of a select, a class by its longest choice: a grid of fields gives it more columns, for what is cut nobody
        reads. Not of choices that are rows of the database: they would be read twice."""
        if self.widget_type != "select" or isinstance(self.field, ModelChoiceField):
            return ""
        choices: list[tuple[Any, Any]] = list(flatten_choices(getattr(self.field, "choices", ())))
        longest = max((len(str(text)) for _, text in choices), default=0)
        return "longer" if longest > LONGER else "long" if longest > LONG else ""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Widget | None = None) -> dict[str, Any]:
        built = super().build_widget_attrs(attrs, widget)
        if self.form.errors and not self.is_hidden:
            built["autofocus"] = self.takes_focus and not self.use_fieldset
        return built


class FormRenderer(DjangoTemplates):
    bound_field_class = FocusingField

    def get_template(self, template_name: str) -> Any:
        if template_name == Select.template_name:
            return loader.get_template(SELECT)
        return super().get_template(template_name)
