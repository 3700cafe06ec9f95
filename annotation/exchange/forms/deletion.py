from typing import Any

from django import forms

from annotation.models import Collection


class DeletionForm(forms.Form):
    """Whoever deletes a collection writes its name."""

    name = forms.CharField(max_length=200, label="Name of the collection", help_text="As it stands above, to confirm.")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.collection.name.strip():
            raise forms.ValidationError("This is not the name of the collection.")
        return name
