"""A collector that is far away: what goes to it and comes from it takes half a round trip each, as over a network.

A connection costs a round trip before anything goes through it, and what it carries at once begins with ten packets and doubles with each
round trip (RFC 6928, RFC 5681): a large file costs several. No packet is lost, and the line itself is as wide as one likes.
"""

import asyncio
import threading
import time

first_window = 10 * 1460


class Far:
    """Runs as long as the `with` block, in a thread of its own."""

    def __init__(self, port, round_trip):
        self.target, self.half = port, round_trip / 2
        self.connections = 0
        self._writers = set()
        self._loop = asyncio.new_event_loop()

    def __enter__(self):
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.port = self._call(self._listen())
        self.url = f"http://127.0.0.1:{self.port}/"
        return self

    def __exit__(self, *_):
        self.forget()
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def forget(self):
        """Ends all connections, as time does."""
        self._call(self._close())

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)

    async def _listen(self):
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    async def _close(self):
        for writer in list(self._writers):
            writer.close()

    async def _end(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader, writer):
        self.connections += 1
        accepted = time.monotonic()
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(self._carry(reader, far_writer, accepted + 2 * self.half), self._carry(far_reader, writer, 0), return_exceptions=True)
        except asyncio.CancelledError:
            # At the end. The library would print that its callback was cancelled.
            pass
        for end in (writer, far_writer):
            self._writers.discard(end)
            end.close()

    async def _carry(self, reader, writer, opens):
        """One direction: bytes arrive half a round trip after they were sent, and are known to have arrived after another half."""
        window, under_way = first_window, 0
        acknowledged = asyncio.Event()
        arriving = asyncio.Queue()

        async def deliver():
            while (item := await arriving.get()) is not None:
                at, data = item
                await asyncio.sleep(max(at - time.monotonic(), 0))
                writer.write(data)
                self._loop.call_later(self.half, acknowledge, len(data))
            if writer.can_write_eof():
                writer.write_eof()

        def acknowledge(length):
            nonlocal window, under_way
            window += length
            under_way -= length
            acknowledged.set()

        delivery = asyncio.ensure_future(deliver())
        try:
            while data := await reader.read(window - under_way):
                under_way += len(data)
                arriving.put_nowait((max(time.monotonic(), opens) + self.half, data))
                while under_way >= window:
                    acknowledged.clear()
                    await acknowledged.wait()
        finally:
            arriving.put_nowait(None)
            await delivery
