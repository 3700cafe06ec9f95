"""`people password-link` under the name that it had first."""

from annotation.management.people import PasswordLink


class Command(PasswordLink):
    alias_of = "people password-link"
