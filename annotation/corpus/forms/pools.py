"""Forms about pools."""

from django import forms

from annotation.kernel.forms import PoolNameForm
from annotation.kernel.uploads import Upload, require_small_enough, unknown_field


class PoolFileForm(PoolNameForm):
    file = forms.FileField(
        max_length=255,
        help_text=(
            "Two columns, topic number and docno, separated by white space; plain or gzip. The order is kept: of each "
            "topic, the pair that stands first counts as the most promising. A large file is better brought under "
            "Imports, where it is read in the background."
        ),
    )

    unknown = unknown_field()

    def clean_file(self) -> Upload:
        file: Upload = self.cleaned_data["file"]
        require_small_enough(file)
        return file
