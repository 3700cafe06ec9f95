"""The demo collection, and the links that let one in."""

import argparse

from annotation.kernel.commands.base import TouchstoneCommand
from annotation.kernel.jobs import claim_job, run_job
from annotation.management.addressing import link_to, usual_address
from annotation.models import Collection, User
from annotation.people.steps.accounts import make_sign_in_link
from touchstone.demo.building import SLUG, build_demo
from touchstone.demo.people import VISITORS


class Command(TouchstoneCommand):
    help = "Make the demo collection if it is not there yet, and print one-time sign-in links for its people."
    examples = ("touchstone demo", "touchstone demo --url https://judge.example.org")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--url", default=usual_address(), help="where the app answers (default: %(default)s)")

    def handle(self, *, url: str, **_options: object) -> None:
        is_new = not Collection.objects.filter(slug=SLUG).exists()
        if is_new:
            self._say("Making the demo collection (half a minute) ...")
            build_demo()
            while job := claim_job():
                run_job(job)
        else:
            self._say("The demo collection is there already; its data stay as they are.")
        people = User.objects.filter(username__in=VISITORS).order_by("id")
        links = {person.username: link_to("sign_in_link", make_sign_in_link(person), url) for person in people}
        rows = "".join(f"  {name:<18} {link}\n" for name, link in links.items())
        words = f"\nTouchstone demo: {url}/\nOne-time sign-in links, each for one person:\n\n{rows}"
        self.answer(words, {"url": f"{url}/", "made": is_new, "links": links})

    def _say(self, words: str) -> None:
        if not self.as_json:
            self.stdout.write(words)
            self.stdout.flush()
