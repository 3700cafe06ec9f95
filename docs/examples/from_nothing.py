"""From nothing to qrels by the API: python from_nothing.py URL TOKEN

URL is a Touchstone with a worker, TOKEN (scope `admin`) is of somebody who may create collections. Two people join by
the links that are printed, and each makes a token (scope `judge`) at /tokens. It needs `pip install '.[client]'`.
"""

import io
import sys

from touchstone.client import Client, Collection

TOPICS = "1\twinter feeding\tWhat do bees eat in winter?\n2\twax\tHow do bees make wax?\n"
DOCUMENTS = """\
{"docno": "d1", "text": "In winter bees live on the honey that they have stored."}
{"docno": "d2", "text": "Wax comes out between the rings of a young bee's body."}
{"docno": "d3", "text": "A queen lays two thousand eggs on a day in May."}
"""
SIGNS = {"winter feeding": "honey", "wax": "Wax"}  # the word that makes a document relevant, for our two judges


def bring(bees: Collection) -> None:
    """Texts, each file first checked and then published; what is wrong with it is raised with line and reason."""
    topics = bees.imports.bring(io.BytesIO(TOPICS.encode()), kind="topics", filename="topics.tsv")
    print("Topics:", topics.wait()["preview"]["counts"])
    bees.imports.publish(topics.id).wait()
    file = io.BytesIO(DOCUMENTS.encode())
    bees.imports.bring(file, kind="documents", filename="documents.jsonl", format="jsonl", publish=True).wait()


def invite(bees: Collection) -> list[str]:
    """The tokens of two people, each of whom has joined by a link of their own."""
    tokens = []
    for invitation in bees.invitations.make(role="annotator", count=2)["invitations"]:
        print("To join:", invitation["link"])
        tokens.append(input("Token of who has joined: "))
    return tokens


def ask_for_judgments(bees: Collection) -> str:
    """A batch that is open; its token."""
    pairs = [(number, docno) for number in ("1", "2") for docno in ("d1", "d2", "d3")]
    bees.pools.make(name="all", pairs=[{"number": number, "docno": docno} for number, docno in pairs])
    batch = bees.batches.draft(
        name="first", pool="all", everybody=True, judgments_per_item=2, gold_share=0, minimum_seconds=0
    )["token"]
    print("Refusals:", bees.batches.dry_run(batch)["refusals"])
    bees.batches.lay_out(batch).wait(timeout=60)
    bees.batches.open(batch)
    return batch


def judge(client: Client, batch: str) -> None:
    """Every card that there is, as a program judges."""
    desk = client.desk(batch)
    answer = desk.next()
    while answer["cards"]:
        card = answer["cards"][0]
        is_relevant = SIGNS[card["topic"]["title"]] in card["document"]["text"]
        answer = desk.grade(token=card["token"], grade=int(is_relevant))


def main(url: str, token: str) -> None:
    with Client(url, token) as client:
        slug = client.collections.make(name="Bees", slug="bees", grades=[{"name": "No"}, {"name": "Yes"}])["slug"]
        bees = client.collection(slug)
        bring(bees)
        judges = invite(bees)
        batch = ask_for_judgments(bees)
        for secret in judges:
            with Client(url, secret) as person:
                judge(person, batch)
        bees.batches.close(batch)
        mild = bees.policies.make(name="mild", parameters={"count_unproven": True})
        job = bees.snapshots.freeze(name="first", batches=[batch], policy=f"{mild['name']} v{mild['version']}")
        job.wait(progress=lambda answer: print("Freezing:", answer["state"]))
        (snapshot,) = bees.snapshots.all(name="first")
        print("Written:", bees.snapshots.save_qrels(snapshot["id"], "bees.qrels"))


if __name__ == "__main__":
    main(*sys.argv[1:])
