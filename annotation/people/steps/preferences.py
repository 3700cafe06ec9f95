"""What a person prefers of how pages look."""

from annotation.models import User


def save_preferences(person: User, *, theme: str, text_size: str, table_rows: str, time_zone: str) -> None:
    """The values are those of the form. Nothing of it is audited: it changes what one reader sees, and nothing else."""
    person.theme, person.text_size = theme, text_size
    person.table_rows, person.time_zone = table_rows, time_zone
    person.save(update_fields=["theme", "text_size", "table_rows", "time_zone"])
