"""The list of members."""

from annotation.kernel.list_columns import moments
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Shown
from annotation.models import Role
from annotation.people.read.members import Member

PEOPLE = Listing[Member](
    "People",
    (
        Listed(
            "username",
            lambda member: member.person.username,
            by="username",
            shown=Shown("Username", is_numeric=False),
            part="annotation/people/people_username.html",
        ),
        Listed(
            "roles",
            lambda member: " ".join(member.roles),
            by="roles",
            shown=Shown("Roles", is_numeric=False),
            part="annotation/people/people_roles.html",
        ),
        Listed(
            "pseudonym",
            lambda member: member.pseudonym,
            by="pseudonym",
            shown=Shown("Pseudonym", is_numeric=False),
            look="code",
            part="annotation/people/people_pseudonym.html",
        ),
        moments(
            "Last activity here",
            "last_activity",
            lambda member: member.last_activity,
            by="last_activity",
        ),
    ),
    search=("person__username", "pseudonym"),
    hint="Username or pseudonym",
    filters=(Only("role", "Role", "roles", Role.choices),),
)
