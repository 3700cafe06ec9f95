from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models

from annotation.models.prepared import KEY, Blank, Rows


class People(UserManager["User"]):
    """Who asks is looked up by key at every request: that statement is compiled once."""

    use_in_migrations = False

    def get(self, *args: Any, **kwargs: Any) -> "User":
        if args or kwargs.keys() != {"pk"}:
            return super().get(*args, **kwargs)
        person = _BY_KEY.first(pk=kwargs["pk"])
        if person is None:
            raise User.DoesNotExist("No such person.")
        return person


class Theme(models.TextChoices):
    SYSTEM = "system", "As the system says"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"
    CONTRAST = "contrast", "High contrast, light or dark as the system says"


class TextSize(models.TextChoices):
    NORMAL = "normal", "Normal"
    LARGE = "large", "Large"
    LARGER = "larger", "Larger"


class TableRows(models.TextChoices):
    ROOMY = "roomy", "Roomy"
    COMPACT = "compact", "Compact: more rows in view"


class User(AbstractUser):
    """A person who signs in. What they may do in a collection is in `Membership`."""

    may_create_collections = models.BooleanField(default=False)

    # How this person likes pages to be. Nothing that is judged or counted depends on it.
    theme = models.CharField(max_length=10, choices=Theme.choices, default=Theme.SYSTEM, db_default="system")
    text_size = models.CharField(max_length=10, choices=TextSize.choices, default=TextSize.NORMAL, db_default="normal")
    table_rows = models.CharField(max_length=10, choices=TableRows.choices, default=TableRows.ROOMY, db_default="roomy")
    time_zone = models.CharField(max_length=64, default="UTC", db_default="UTC")  # an IANA name

    objects: ClassVar[People] = People()

    class Meta:
        db_table = "annotation_user"


_BY_KEY = Rows(lambda: User.objects.filter(pk=Blank("pk", KEY)))
