"""Run by MTEB's own Python: a folder in BEIR's form with vectors beside it, as a task of MTEB 2; prints its scores.

    python by_mteb.py FOLDER        # corpus.jsonl, queries.jsonl, qrels/test.tsv, queries.npy, docs.npy, *.ids.txt

`make mteb` installs MTEB and compares (tests/evaluation/management/test_beir_vectors.py).

A model here knows nothing but the vectors of the texts, which are different from each other.
"""

import csv
import json
import sys
from pathlib import Path

import mteb
import numpy as np
import torch
from datasets import Dataset
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models import ModelMeta

FOLDER = Path(sys.argv[1])


def objects(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


class Written(AbsTaskRetrieval):
    metadata = TaskMetadata(
        name="Written",
        description="A task of our own writing.",
        type="Retrieval",
        category="t2t",
        dataset={"path": "nowhere", "revision": "1"},
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
    )
    ignore_identical_ids = True

    def load_data(self, *_args, **_options):
        relevant = {}
        with (FOLDER / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                relevant.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
        corpus = [{"id": one["_id"], "text": one["text"], "title": ""} for one in objects("corpus.jsonl")]
        queries = [{"id": one["_id"], "text": one["text"]} for one in objects("queries.jsonl")]
        split = {"corpus": Dataset.from_list(corpus), "queries": Dataset.from_list(queries)}
        self.dataset = {"default": {"test": {**split, "relevant_docs": relevant, "top_ranked": None}}}
        self.data_loaded = True


class Vectors:
    mteb_model_meta = ModelMeta.create_empty({"name": "written/vectors", "revision": "1"})

    def __init__(self):
        self.by_text = {}
        for side, file in (("queries", "queries.jsonl"), ("docs", "corpus.jsonl")):
            names = (FOLDER / f"{side}.ids.txt").read_text("utf-8").split()
            vector = dict(zip(names, np.load(FOLDER / f"{side}.npy"), strict=True))
            self.by_text |= {one["text"]: vector[one["_id"]] for one in objects(file)}

    def encode(self, inputs, **_options):
        return np.stack([self.by_text[text.strip()] for batch in inputs for text in batch["text"]])

    def similarity(self, first, second):
        first, second = (torch.nn.functional.normalize(torch.as_tensor(side), dim=1) for side in (first, second))
        return first @ second.T

    def similarity_pairwise(self, first, second):
        return torch.nn.functional.cosine_similarity(torch.as_tensor(first), torch.as_tensor(second))


result = mteb.evaluate(Vectors(), Written(), cache=None, co2_tracker=False, show_progress_bar=False)
scores = result.task_results[0].scores["test"][0]
names = ("main_score", "ndcg_at_10", "map_at_100", "recall_at_10", "mrr_at_10")
print(json.dumps({name: scores[name] for name in names}))
