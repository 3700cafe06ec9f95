"""The addresses of this subject, of pages and of the API."""

from django.contrib.auth.views import LoginView
from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from annotation.people.api import information as api_information
from annotation.people.api import invitations as api_invitations
from annotation.people.api import members as api_members
from annotation.people.api import preferences as api_preferences
from annotation.people.api import tokens as api_tokens
from annotation.people.forms import SignInForm
from annotation.people.views import accounts, annotator_kind, information, invitations, people

urlpatterns: list[URLPattern] = [
    path(
        "login",
        LoginView.as_view(redirect_authenticated_user=True, authentication_form=SignInForm),
        name="login",
    ),
    path("logout", accounts.SignOut.as_view(), name="logout"),
    path("password", accounts.password_change, name="password_change"),
    path("preferences", accounts.preferences, name="preferences"),
    path("api/v1/preferences", api_preferences.Preferences.as_view(), name="api_preferences"),
    path("password/<str:secret>", accounts.password_link, name="password_link"),
    path("sign-in/<str:secret>", accounts.sign_in_link, name="sign_in_link"),
    path("tokens", accounts.api_tokens, name="api_tokens"),
    path("tokens/<str:prefix>/revoke", accounts.api_token_revoke, name="api_token_revoke"),
    path("api/v1/tokens", api_tokens.Tokens.as_view(), name="api_own_tokens"),
    path("api/v1/tokens/<str:prefix>/revoke", api_tokens.TokenRevoke.as_view(), name="api_own_token_revoke"),
    path("invitation/<str:secret>", invitations.invitation, name="invitation"),
    path("c/<slug:slug>/information/", information.information, name="information"),
    path("c/<slug:slug>/information/new", information.information_new, name="information_new"),
    path("c/<slug:slug>/information/preview", information.information_preview, name="information_preview"),
    path("c/<slug:slug>/information/<int:number>", information.information_version, name="information_version"),
    path("c/<slug:slug>/information/<int:number>/edit", information.information_edit, name="information_edit"),
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/<str:username>/", people.people_person, name="people_person"),
    path("c/<slug:slug>/people/<str:username>/remove", people.people_remove, name="people_remove"),
    path("c/<slug:slug>/people/<str:username>/password-link", people.people_password_link, name="people_password_link"),
    path("c/<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path(
        "c/<slug:slug>/invitations/<int:number>/withdraw", invitations.invitation_withdraw, name="invitation_withdraw"
    ),
    path("c/<slug:slug>/annotators/<path:pseudonym>/kind", annotator_kind.annotator_kind, name="annotator_kind"),
    path(f"{C}/people", api_members.People.as_view(), name="api_people"),
    path(f"{C}/people/<str:username>", api_members.OnePerson.as_view(), name="api_person"),
    path(
        f"{C}/people/<str:username>/password-link",
        api_members.PersonPasswordLink.as_view(),
        name="api_person_password_link",
    ),
    path(f"{C}/invitations", api_invitations.Invitations.as_view(), name="api_invitations"),
    path(
        f"{C}/invitations/<int:number>/withdraw",
        api_invitations.InvitationWithdraw.as_view(),
        name="api_invitation_withdraw",
    ),
    path(f"{C}/information", api_information.Information.as_view(), name="api_information"),
    path(f"{C}/information/<int:number>", api_information.OneInformation.as_view(), name="api_information_version"),
    path(
        f"{C}/information/<int:number>/revise",
        api_information.InformationRevise.as_view(),
        name="api_information_revise",
    ),
]
