"""A replay as an SDK records one: pictures that are drawn here, deltas of tiles, moves, wireframes; and its way to the collector."""

import gzip
import hashlib
import io
import json
import math
import random
import struct
import urllib.request

from PIL import Image, ImageDraw

WIDTH, HEIGHT, SCALE, EDGE = 312, 675, 0.8, 32
LIST_TOP, LIST_BOTTOM = 96, 640


def draw(scroll=0, typed="", colour="#ffffff", rows=40):
    """A menu of drinks, scrolled by so many pixels, with what was typed into its search."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), colour)
    pen = ImageDraw.Draw(picture)
    for row in range(rows):
        top = LIST_TOP + row * 60 - scroll
        pen.rectangle((0, top, WIDTH, top + 59), fill="#f6f3ee" if row % 2 else "#ffffff")
        pen.ellipse((14, top + 10, 54, top + 50), fill=["#7a4a2b", "#c98a4b", "#3f6f58", "#8a5fa8"][row % 4])
        pen.text((70, top + 14), f"Drink number {row}", fill="#1c1e22", font_size=15)
        pen.text((70, top + 34), f"{2 + row % 5}.50 EUR", fill="#6a6f78", font_size=11)
    pen.rectangle((0, 0, WIDTH, LIST_TOP - 1), fill="#3b2a20")
    pen.text((14, 18), "Coffee Shop", fill="#ffffff", font_size=20)
    pen.rounded_rectangle((12, 52, WIDTH - 12, 84), 8, fill="#ffffff")
    pen.text((20, 59), typed or "Search", fill="#1c1e22" if typed else "#9aa0a8", font_size=14)
    pen.rectangle((0, LIST_BOTTOM, WIDTH, HEIGHT), fill="#ece7df")
    return picture


def jpeg(picture, quality=80):
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality, subsampling=0)
    return out.getvalue()


def png(picture):
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def record(time, flags, moves=(), tiles=(), columns=0, image=b"", dropped=0, size=(WIDTH, HEIGHT)):
    """As the first version of the format has it."""
    body = struct.pack("<qBBHHHH", time, flags, EDGE // 8, *size, int(SCALE * 256), dropped)
    body += struct.pack("<H", len(moves)) + b"".join(struct.pack("<6h", *move) for move in moves)
    body += struct.pack("<H", len(tiles)) + b"".join(struct.pack("<H", tile) for tile in tiles)
    body += struct.pack("<HI", columns, len(image)) + image
    return b"AMF1" + struct.pack("<I", len(body)) + body


def record2(time, flags, moves=(), tiles=(), references=(), columns=0, image=b"", size=(WIDTH, HEIGHT), version=2):
    """As the second one has it: tiles that follow one another as runs, and references (tile, count, back, place)."""
    runs = []
    for tile in tiles:
        if runs and sum(runs[-1]) == tile:
            runs[-1][1] += 1
        else:
            runs.append([tile, 1])
    body = struct.pack("<qBBHHHH", time, flags, EDGE // 8, *size, int(SCALE * 256), 0)
    body += struct.pack("<H", len(moves)) + b"".join(struct.pack("<6h", *move) for move in moves)
    body += struct.pack("<H", len(runs)) + b"".join(struct.pack("<2H", *run) for run in runs)
    body += struct.pack("<H", len(references)) + b"".join(struct.pack("<4H", *reference) for reference in references)
    body += struct.pack("<HI", columns, len(image)) + image
    return b"AMF%d" % version + struct.pack("<I", len(body)) + body


def key(time, picture, gap=False, dropped=0):
    return record(time, 3 if gap else 1, image=jpeg(picture), dropped=dropped, size=picture.size)


def delta(time, before, after, moves=()):
    """What has to be sent when `before` became `after`, the moves made first."""
    moved = before.copy()
    for x, y, width, height, dx, dy in moves:
        moved.paste(before.crop((x, y, x + width, y + height)), (x + dx, y + dy))
    across = -(-WIDTH // EDGE)
    changed = []
    for tile in range(across * -(-HEIGHT // EDGE)):
        x, y = tile % across * EDGE, tile // across * EDGE
        box = (x, y, min(x + EDGE, WIDTH), min(y + EDGE, HEIGHT))
        if moved.crop(box).tobytes() != after.crop(box).tobytes():
            changed.append((tile, x, y))
    columns = 1
    while columns * columns < len(changed):
        columns += 1
    atlas = Image.new("RGB", (columns * EDGE, max(-(-len(changed) // columns), 1) * EDGE))
    for place, (_, x, y) in enumerate(changed):
        atlas.paste(after.crop((x, y, x + EDGE, y + EDGE)), (place % columns * EDGE, place // columns * EDGE))
    return record(time, 0, moves, [tile for tile, _, _ in changed], columns, jpeg(atlas) if changed else b"")


def scrolling(start, seconds=10, step=12, per_second=3):
    """A key frame, and a list that is scrolled: a move for what stays, tiles for what appears."""
    before = draw()
    frames = [key(start, before)]
    for n in range(1, seconds * per_second):
        after = draw(scroll=n * step)
        moves = [(0, LIST_TOP + step, WIDTH, LIST_BOTTOM - LIST_TOP - step, 0, -step)]
        frames.append(delta(start + n * 1000 // per_second, before, after, moves))
        before = after
    return b"".join(frames)


def jumble(start, frames=24, seed=5, version=1, moved=4):
    """Coloured tiles that come and are moved about, over one another and up to the edges, and in the second version of the format come
    back from earlier frames; returns the frames, and each picture as it has to be."""
    chance = random.Random(seed)
    colour = lambda: tuple(chance.randrange(256) for _ in range(3))
    picture = Image.new("RGB", (WIDTH, HEIGHT), "#808080")
    across, down = -(-WIDTH // EDGE), -(-HEIGHT // EDGE)
    whole = lambda tile: (tile % across * EDGE, tile // across * EDGE, min(tile % across * EDGE + EDGE, WIDTH), min(tile // across * EDGE + EDGE, HEIGHT))
    records, pictures = [key(start, picture) if version == 1 else record2(start, 1, image=png(picture))], [picture]
    # Of each frame: how its tiles look in its image, in their order.
    shades = [["#808080"] * (across * down)]
    for n in range(1, frames):
        before, picture = picture, picture.copy()
        moves = []
        for _ in range(chance.randrange(moved)):
            width, height = chance.randrange(1, 800 // moved), chance.randrange(1, 1200 // moved)
            x, y = chance.randrange(WIDTH - width + 1), chance.randrange(HEIGHT - height + 1)
            dx, dy = chance.randrange(max(-150, -x), min(150, WIDTH - width - x) + 1), chance.randrange(max(-150, -y), min(150, HEIGHT - height - y) + 1)
            moves.append((x, y, width, height, dx, dy))
            picture.paste(before.crop((x, y, x + width, y + height)), (x + dx, y + dy))
        tiles = chance.sample(range(across * down), chance.choice((0, 3, 20, 90) if moved < 10 else (0, 3)))
        columns = max(math.isqrt(len(tiles)), 1)
        atlas = Image.new("RGB", (columns * EDGE, max(-(-len(tiles) // columns), 1) * EDGE))
        shades.append([colour() for _ in tiles])
        for place, (tile, shade) in enumerate(zip(tiles, shades[-1])):
            atlas.paste(shade, (place % columns * EDGE, place // columns * EDGE, (place % columns + 1) * EDGE, (place // columns + 1) * EDGE))
            picture.paste(shade, (tile % across * EDGE, tile // across * EDGE, (tile % across + 1) * EDGE, (tile // across + 1) * EDGE))
        if version == 1:
            records.append(record(start + n * 200, 0, moves, tiles, columns, jpeg(atlas, 95) if tiles else b""))
        else:
            # A few frames are needed by all later ones.
            references = []
            for of in (0, 1, 4, 9):
                if of >= n or not shades[of]:
                    continue
                tile = chance.randrange(across * down)
                # What sticks out of a key frame is not there.
                references.append((tile, 1, n - of, chance.randrange(len(shades[of])) if of else tile))
            for tile, _, back, place in references:
                picture.paste(shades[n - back][place], whole(tile))
            records.append(record2(start + n * 200, 0, moves, tiles, references, columns, png(atlas) if tiles else b""))
        pictures.append(picture)
    return b"".join(records), pictures


def typing(start, words="flat white", every=400):
    before = draw()
    frames = [key(start, before)]
    for n in range(1, len(words) + 1):
        after = draw(typed=words[:n])
        frames.append(delta(start + n * every, before, after))
        before = after
    return b"".join(frames)


def hour(replay, start, minutes=60, per_second=3):
    """A list that is scrolled and fields that are typed into, over and over: real frames, drawn once and stamped anew."""
    words, before, frames = "two flat whites, please", None, []
    for n in range(30 * per_second):
        second = n // per_second
        after = draw(scroll=n * 12) if second < 15 else draw(typed=words[:second - 15])
        moves = [(0, LIST_TOP + 12, WIDTH, LIST_BOTTOM - LIST_TOP - 12, 0, -12)] if 0 < second < 15 else []
        frames.append(key(0, after) if before is None else delta(0, before, after, moves))
        before = after
    for at in range(start, start + minutes * 60_000, 30_000):
        stamped = [frame[:8] + struct.pack("<q", at + n * 1000 // per_second) + frame[16:] for n, frame in enumerate(frames)]
        replay.segment("screenshots", at, at + 30_000 - 1000 // per_second, b"".join(stamped), len(stamped))
    replay.end(start + minutes * 60_000)


def snapshot(time, typed=None, bomb=""):
    nodes = [
        {"k": "view", "x": 0, "y": 0, "w": 390, "h": 844, "c": "#ffffff"}, {"k": "bar", "x": 0, "y": 0, "w": 390, "h": 120, "c": "#3b2a20"},
        {"k": "text", "x": 18, "y": 20, "w": 300, "h": 30, "t": f"Coffee Shop{bomb}", "f": 24, "fc": "#ffffff"},
        {"k": "input", "x": 15, "y": 65, "w": 360, "h": 40, "c": "#ffffff", "r": 10, **({"m": True} if typed is None else {"t": typed, "f": 16})},
    ]
    for row in range(9):
        top = 120 + row * 75
        nodes += [{"k": "cell", "x": 0, "y": top, "w": 390, "h": 74, "c": "#f6f3ee" if row % 2 else "#ffffff"},
                  {"k": "image", "x": 18, "y": top + 12, "w": 50, "h": 50, "r": 25, "s": "cup"},
                  {"k": "text", "x": 88, "y": top + 15, "w": 200, "h": 20, "t": f"Drink number {row}", "f": 17, "fc": "#1c1e22"},
                  {"k": "switch", "x": 320, "y": top + 22, "w": 51, "h": 31, "r": 15}]
    nodes.append({"k": "button", "x": 20, "y": 780, "w": 350, "h": 50, "c": "#7a4a2b", "r": 12, "t": "Pay now", "f": 17, "fc": "#ffffff"})
    return json.dumps({"t": time, "screen": "Menu", "w": 390, "h": 844, "nodes": nodes}) + "\n"


class Replay:
    """Brings a replay to a collector, by the routes that the SDK takes."""

    def __init__(self, collector, launch, name="replay-1"):
        self.collector, self.launch, self.name = collector, launch, name

    def _ask(self, method, path, body, type="application/json"):
        request = urllib.request.Request(self.collector.url.rstrip("/") + path, body, {"Content-Type": type, "x-bundle-id": "com.example.page"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
            return json.loads(text) if text else {}

    def post(self, path, **body):
        return self._ask("POST", f"/api/ingest/{path}", json.dumps(body).encode())

    def segment(self, kind, first, last, content, frames=1, continues=None):
        """Returns the segment's id, which a further part of it names as `continues`."""
        content = content.encode() if isinstance(content, str) else content
        hash = hashlib.sha256(content).hexdigest()
        id = hashlib.sha256(f"{self.name}|{kind}|{first}|{last}|{hash}".encode()).hexdigest()[:32]
        packed = gzip.compress(content, 6)
        told = self.post("segment/presign", sessionId=self.name, segmentId=id, kind=kind, startTime=first, endTime=last, frameCount=frames,
                         sizeBytes=len(packed), compression="gzip", contentHash=hash, continues=continues,
                         telemetrySessionIds=[self.launch.session])
        if "uploadUrl" in told:
            self._ask("PUT", told["uploadUrl"], packed, "application/gzip")
        self.post("segment/complete", segmentId=id, frameCount=frames, actualSizeBytes=len(packed))
        return id

    def end(self, at, background=0, reason="user_stop"):
        return self.post("session/end", sessionId=self.name, endedAt=at, totalBackgroundTimeMs=background, endReason=reason, timingVersion=3)
