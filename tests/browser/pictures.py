"""Make the screenshots in folders small: `python -m tests.browser.pictures docs/images`.

Text on plain ground needs few colours.
"""

import sys
from pathlib import Path

from PIL import Image

COLOURS = 64


def shrink(file: Path) -> None:
    with Image.open(file) as picture:
        flat = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat.save(file, optimize=True)


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        for picture in sorted(Path(folder).glob("*.png")):
            shrink(picture)
