"""A whole collection on its way in."""

from django import forms

from annotation.kernel.uploads import OTHER_SCALE, Upload, grades_field, require_small_enough
from annotation.models import Collection


class ArrivalForm(forms.Form):
    """What the new collection is called in addresses."""

    slug = forms.SlugField(
        max_length=60,
        label="Short name",
        help_text="Stands in addresses and cannot be changed later. It may be another one than the collection had.",
    )

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if Collection.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"“{slug}” is taken.", code="taken")
        return slug


class BundleForm(ArrivalForm):
    file = forms.FileField(
        max_length=255,
        label="Bundle or BEIR folder",
        help_text=(
            "A bundle that another installation of Touchstone has made; or corpus.jsonl, queries.jsonl and qrels/*.tsv "
            "together, packed as zip or tar.gz."
        ),
    )
    grades = grades_field(f"Of a BEIR folder, which gets grades from 0 to 4. {OTHER_SCALE}")
    field_order = ["file", "slug", "grades"]

    def clean_file(self) -> Upload:
        file: Upload = self.cleaned_data["file"]
        require_small_enough(file)
        return file
