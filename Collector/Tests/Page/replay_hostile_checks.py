"""What the viewer does with frames that nobody's recorder made: a tab must survive every app."""

import random
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from checks import check
from collector import Launch
from replay_page import SCREEN, at, until
from replay_story import EDGE, Replay, draw, jumble, png, record2, scrolling

root = Path(__file__).parents[3]
corpora = [root / "Fuzz/Corpus/frames", root / "Collector/Fuzz/Corpus/replay"]

# Reads bytes as the player does, and says what is wrong with what it took for frames.
READ = """async (bytes) => {
  const { readFrames, imageSize } = await import("./scripts/replay/frame-records.js");
  const { sizeOf } = await import("./scripts/replay/image-size.js");
  const buffer = new Uint8Array(bytes).buffer;
  const begun = performance.now();
  let frames = [];
  try {
    frames = readFrames(buffer);
  } catch (error) {
    return { frames: 0, refused: error.message, wrong: [] };
  }
  const wrong = [];
  const must = (holds, what) => { if (!holds) wrong.push(what); };
  must(performance.now() - begun < 2000, "it takes long");
  must(!frames.length || frames[0].isKey, "a key frame is the first");
  for (const frame of frames) {
    const { width, height, edge, tiles, moves, references, columns, image, isKey } = frame;
    const grid = Math.ceil(width / edge) * Math.ceil(height / edge);
    must(width >= 1 && height >= 1 && width <= 8192 && height <= 8192 && width * height <= 1 << 24, "its size");
    must(edge >= 8 && edge <= 2040, "its tiles");
    must(tiles.length <= grid && tiles.every((tile) => tile < grid), "tiles in the picture");
    must(moves.length <= 64 * 6, "moves");
    for (let at = 0; at < moves.length; at += 6) {
      const [x, y, w, h, dx, dy] = moves.subarray(at, at + 6);
      for (const [left, top] of [[x, y], [x + dx, y + dy]]) must(left >= 0 && top >= 0 && w > 0 && h > 0 && left + w <= width && top + h <= height, "a move in the picture");
    }
    must(new Set(references.map(({ source }) => source)).size <= 8, "sources");
    for (const { tile, count, source, place } of references) {
      must(frames.indexOf(source) >= 0 && frames.indexOf(source) < frames.indexOf(frame), "a reference back");
      must(count > 0 && tile + count <= grid && place + count <= (source.isKey ? grid : source.tiles.length), "a reference to what is there");
    }
    must(columns <= Math.max(tiles.length, 1) && (columns > 0 || !tiles.length), "columns");
    must(image.length > 0 || (!isKey && !tiles.length), "an image");
    if (!image.length) continue;
    const [w, h] = imageSize(frame);
    const size = sizeOf(image);
    must(size.width === w && size.height === h && w * h <= 1 << 24 && Math.max(w, h) <= 16384, "an image of its size");
  }
  return { frames: frames.length, wrong };
}"""


def mutants(seeds, count, seed=11):
    chance = random.Random(seed)
    for _ in range(count):
        bytes = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 2, 4, 12))):
            place = chance.randrange(len(bytes)) if chance.random() < 0.4 else chance.randrange(min(len(bytes), 80))
            bytes[place] = chance.choice((0, 1, 2, 0x7f, 0x80, 0xff, chance.randrange(256)))
        yield bytes[:chance.randrange(len(bytes))] if chance.random() < 0.2 else bytes


@check
def frames_of_the_fuzzers(collector, page):
    """what the fuzzers of the recorder and the collector found, and frames with bytes changed, are read or refused, and never taken for more than they are"""
    collector.start()
    page.goto(collector.url)
    files = [file for folder in corpora for file in sorted(folder.iterdir())]
    assert len(files) > 25, corpora
    read = 0
    for file in files:
        found = page.evaluate(READ, list(file.read_bytes()))
        assert not found["wrong"], (file, found)
        read += found["frames"]
    assert read > 3, "the corpus has frames that can be read"
    assert "version 3" in page.evaluate(READ, list((root / "Fuzz/Corpus/frames/newer").read_bytes()))["refused"]
    seeds = [scrolling(1000, seconds=1), jumble(1000, frames=5)[0], jumble(1000, frames=5, version=2)[0]]
    whole = [page.evaluate(READ, list(one))["frames"] for one in seeds]
    assert whole == [3, 5, 5], whole
    for number, one in enumerate(mutants(seeds, 250)):
        found = page.evaluate(READ, list(one))
        assert not found["wrong"], (number, found)


# Counts pictures in memory, and their pixels.
COUNTED = """
  window.open = { now: 0, pixels: 0, most: 0, made: 0 };
  const make = window.createImageBitmap;
  window.createImageBitmap = async (...all) => {
    const image = await make(...all);
    window.open.now += 1;
    window.open.made += 1;
    window.open.pixels += image.width * image.height;
    window.open.most = Math.max(window.open.most, window.open.pixels);
    return image;
  };
  const { close } = ImageBitmap.prototype;
  ImageBitmap.prototype.close = function () {
    if (this.width) {
      window.open.now -= 1;
      window.open.pixels -= this.width * this.height;
    }
    return close.call(this);
  };"""


def a_story(collector):
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    start = launch.now + 1000
    collector.send(launch, [launch.screen("Menu"), launch.log("x", after=20_000)], final=True)
    return launch, start


@check
def images_are_let_go(collector, page):
    """an image that cannot be decoded is told, and none of those that were decoded with it stays in memory"""
    page.add_init_script(COUNTED)
    launch, start = a_story(collector)
    whole = draw()
    frames = [record2(start, 1, image=png(whole))]
    for n in range(1, 12):
        image = png(Image.new("RGB", (EDGE, EDGE), (20 * n, 90, 0)))
        frames.append(record2(start + n * 100, 0, tiles=[n], columns=1, image=image if n != 7 else image[:40] + b"\xff" * 30))
    Replay(collector, launch).segment("screenshots", start, start + 1200, b"".join(frames), len(frames))
    at(page, collector, launch, start + 1150)
    expect(page.locator(".screen-note")).to_contain_text("This part cannot be shown")
    until(page, "window.open.made > 5 && window.open.now === 0", True)


@check
def images_find_room(collector, page):
    """of images that are needed at one time so many are decoded together as one picture may have pixels"""
    page.add_init_script(COUNTED)
    launch, start = a_story(collector)
    side, across = 2048, 2048 // EDGE
    tiles = across * across
    # Each frame is all new; of each one tile stays.
    frames = [record2(start, 1, image=png(Image.new("P", (side, side))), size=(side, side))]
    for n in range(1, 13):
        left = list(range(n - 1, tiles))
        rows = -(-len(left) // across)
        frames.append(record2(start + n * 100, 0, tiles=left, columns=across, image=png(Image.new("P", (side, rows * EDGE))), size=(side, side)))
    Replay(collector, launch).segment("screenshots", start, start + 1300, b"".join(frames), len(frames))
    at(page, collector, launch, start + 1250)
    until(page, f"{SCREEN}.dataset.time", str(start + 1200))
    most = page.evaluate("window.open")
    assert most["made"] >= 12 and most["most"] <= 1 << 24, most
