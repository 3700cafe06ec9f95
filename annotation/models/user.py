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


class User(AbstractUser):
    """A person who signs in. What they may do in a collection is in `Membership`."""

    may_create_collections = models.BooleanField(default=False)

    objects: ClassVar[People] = People()

    class Meta:
        db_table = "annotation_user"


_BY_KEY = Rows(lambda: User.objects.filter(pk=Blank("pk", KEY)))
