"""What pyproject.toml cannot say: extras are files of requirements (`app`, `cluster`, `umap`), and pages come from
beside the package.

Extras stand in one place, hence `client` too: what touchstone.client needs.
"""

from collections.abc import Iterator
from pathlib import Path

from setuptools import find_packages, setup

PAGES = {"touchstone.templates": "templates", "touchstone.static": "static"}


def requirements(file: str) -> Iterator[str]:
    """The lines that name a package; comments and the file of constraints are for pip alone."""
    for line in Path(__file__).with_name(file).read_text("utf-8").splitlines():
        if line.strip() and not line.startswith(("#", "-")):
            yield line.strip()


setup(
    packages=[*find_packages(include=["annotation*", "evaluation*", "touchstone*"]), *PAGES],
    package_dir=PAGES,
    py_modules=["touchstone_command"],
    package_data={"touchstone": ["py.typed", "demo/content/**/*"], **{package: ["**/*"] for package in PAGES}},
    extras_require={
        "app": list(requirements("requirements.txt")),
        "client": ["httpx>=0.28"],
        "cluster": list(requirements("requirements-cluster.txt")),
        "umap": list(requirements("requirements-umap.txt")),
    },
)
