"""A datasheet that programs read: JSON-LD as MLCommons Croissant 1.0 has it, of tables in JSON Lines.

Akhtar and others, Croissant: a metadata format for ML-ready datasets, DEEM 2024.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.formats.lineage import Ancestor

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True)
class Table:
    """A file of JSON Lines: its name is that of its records, `columns` say what each holds: `Text` or `Integer`."""

    name: str
    file: str
    sha256: str
    says: str
    columns: Mapping[str, str]


def croissant(
    *,
    name: str,
    description: str,
    version: str,
    published: str,
    cite: str,
    language: str,
    lineage: Sequence[Ancestor],
    tables: Sequence[Table],
) -> str:
    """`version` is that of the data, as 1.0.0; `published` a date; `language` a tag of BCP 47, or empty."""
    about: dict[str, object] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "version": version,
        "datePublished": published,
        "citeAs": cite,
        "isLiveDataset": False,
    }
    if language:
        about["inLanguage"] = language
    if basis := [_work(ancestor) for ancestor in lineage if ancestor.is_basis]:
        about["isBasedOn"] = basis
    about["distribution"] = [_file(table) for table in tables]
    about["recordSet"] = [_records(table) for table in tables]
    return json.dumps(about, ensure_ascii=False, indent=2) + "\n"


def _work(ancestor: Ancestor) -> dict[str, object]:
    work: dict[str, object] = {
        "@type": "sc:CreativeWork",
        "name": f"{ancestor.what} {ancestor.name}".strip(),
        "description": ancestor.says,
    }
    return {**work, "sha256": ancestor.sha256} if ancestor.sha256 else work


def _file(table: Table) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": table.file,
        "name": table.file,
        "contentUrl": table.file,
        "encodingFormat": "application/jsonlines",
        "sha256": table.sha256,
    }


def _records(table: Table) -> dict[str, object]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{table.name}/{column}",
            "name": f"{table.name}/{column}",
            "dataType": f"sc:{kind}",
            "source": {"fileObject": {"@id": table.file}, "extract": {"column": column}},
        }
        for column, kind in table.columns.items()
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.says,
        "field": fields,
    }
