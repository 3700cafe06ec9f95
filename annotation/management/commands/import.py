"""Files in, of any kind."""  # noqa: N999 -- the command is called so

from annotation.kernel.commands.group import GroupCommand
from annotation.management import imports
from annotation.management.bundle_import import ImportBundle


class Command(GroupCommand):
    help = "Bring files into a collection, or a whole collection: each kind has its own options."
    deeds = {
        "topics": imports.ImportTopics,
        "documents": imports.ImportDocuments,
        "qrels": imports.ImportQrels,
        "run": imports.ImportRun,
        "vectors": imports.ImportVectors,
        "pairs": imports.ImportPairs,
        "gold": imports.ImportGold,
        "queries": imports.ImportQueries,
        "experiment": imports.ImportExperiment,
        "clicks": imports.ImportClicks,
        "judgments": imports.ImportJudgments,
        "bundle": ImportBundle,
    }
