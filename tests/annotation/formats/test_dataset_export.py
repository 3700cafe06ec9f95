"""The folder for `datasets`, MTEB and ir_datasets. test_dataset_packages.py loads it with these packages."""

import hashlib
import io
import json
import zipfile
from dataclasses import replace

from annotation.formats.citation import bibtex, citation
from annotation.formats.dataset_export import Source, dataset_zip
from benchmarks.dataset_folder import CITED, CORPUS, EXPECTED, SOURCE


def folder_of(source: Source) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(dataset_zip(source)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_each_file_holds_its_rows() -> None:
    files = folder_of(SOURCE)
    names = {"default": "qrels/test.jsonl", "queries": "queries.jsonl", "corpus": "corpus.jsonl"}
    for config, rows in EXPECTED.items():
        assert [json.loads(line) for line in files[names[config]].decode().splitlines()] == rows
        assert f"- config_name: {config}\n  data_files:\n" in files["README.md"].decode()
    assert files["tsv/qrels.txt"] == b"1 0 007 3\n1 0 d2 0\n2 0 d3 1\n2 0 007 -1\n"
    assert files["tsv/docs.tsv"].decode() == "007\tBees\tThey dance. And hum.\nd2\t\tNothing\nd3\tÜ\t…\n"
    assert files["tsv/queries.tsv"].decode().splitlines()[1] == '2\twhat is "the" waggle'


def test_the_datasheet_names_each_file_by_its_hash_and_each_column() -> None:
    files = folder_of(SOURCE)
    datasheet = json.loads(files["croissant.json"])
    assert datasheet["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert datasheet["inLanguage"] == "en"
    assert "inLanguage" not in json.loads(folder_of(replace(SOURCE, language=""))["croissant.json"])
    hashes = {each["contentUrl"]: each["sha256"] for each in datasheet["distribution"]}
    assert hashes == {name: hashlib.sha256(files[name]).hexdigest() for name in hashes}
    columns = {each["name"]: [field["name"] for field in each["field"]] for each in datasheet["recordSet"]}
    assert columns == {
        "qrels": ["qrels/query-id", "qrels/corpus-id", "qrels/score"],
        "queries": ["queries/_id", "queries/text"],
        "corpus": ["corpus/_id", "corpus/title", "corpus/text"],
    }
    assert datasheet["citeAs"] == files["CITATION.bib"].decode()


def test_a_file_without_rows_has_no_configuration() -> None:
    """Qrels whose documents have no texts: an empty file has no columns."""
    files = folder_of(replace(SOURCE, corpus=list))
    assert "config_name: corpus" not in files["README.md"].decode()
    assert [each["name"] for each in json.loads(files["croissant.json"])["recordSet"]] == ["qrels", "queries"]
    assert files["corpus.jsonl"] == b""


def test_the_same_snapshot_gives_the_same_bytes() -> None:
    assert b"".join(dataset_zip(SOURCE)) == b"".join(dataset_zip(SOURCE))
    assert len(CORPUS) == 3


def test_how_it_is_cited() -> None:
    counts = "4 judged pairs of 2 topics; policy default v1. From batch one"
    assert citation(CITED).startswith(f"Bees & wasps, snapshot first (2026-11-27). {counts}. SHA-256 of the qrels: a")
    odd = replace(CITED, snapshot="50 %_{x}", collection="A\\B")
    assert bibtex(odd).splitlines()[:3] == [
        "@misc{bees-50-x,",
        r"  title = {{A/B, snapshot 50 \%\_(x)}},",
        "  year = {2026},",
    ]
