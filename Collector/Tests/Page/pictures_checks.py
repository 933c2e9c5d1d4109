"""The pictures of the documentation can be taken."""

import re
from pathlib import Path

from PIL import Image

import pictures
from checks import check

root = Path(__file__).parent.parent.parent.parent


@check
def pictures_can_be_taken(collector, page):
    """each picture of the documentation is one that the script for them comes to, on a phone too, and every one that a page shows is there"""
    collector.demo()
    names = []
    for width, height in pictures.sizes:
        page.set_viewport_size({"width": width, "height": height})
        names.append(list(pictures.scenes(page, collector.url)))
    assert names[0] == names[1], names
    into = collector.directory / "one.png"
    pictures.save(page.screenshot(), into)
    with Image.open(into) as picture:
        assert picture.size == (390, 844) and len(picture.getcolors()) > 8

    kept = {file.name for file in (root / "Documentation/pictures").iterdir()}
    assert kept == {f"{name}-{width}-{scheme}.png" for name in names[0] for width, _ in pictures.sizes for scheme in ("light", "dark")}, kept
    for place in [root / "README.md", *(root / "Documentation").glob("*.md")]:
        for shown in re.findall(r"pictures/([\w-]+\.png)", place.read_text(encoding="utf-8")):
            assert shown in kept, (place.name, shown)
