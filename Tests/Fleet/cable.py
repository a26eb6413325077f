"""The network between registers and brokers: a process that forwards bytes, and breaks connections on command.

usage: cable.py PORT=TARGET,PORT=TARGET…

Commands, one per line on standard input: `cut P` resets a share P of the connections, `stall S` forwards nothing
for S seconds, `drop S` discards all bytes for S seconds and then resets the connections that lost some, `refuse S`
resets every new connection for S seconds.
"""

import asyncio
import contextlib
import random
import socket
import struct
import sys


class Cable:
    """Forwards the bytes of all connections, and breaks connections."""

    def __init__(self):
        self._writers = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._swallows = self._refuses = False
        self._victims = set()

    @staticmethod
    def _reset(writer):
        """Resets a connection instead of closing it in order."""
        line = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):  # the connection is already closed
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def serve(self, reader, writer, port):
        if self._refuses:
            self._reset(writer)
            return
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            self._reset(writer)
            return
        pair = (writer, other_writer)
        self._writers.add(pair)
        try:
            await asyncio.gather(self._pass(reader, other_writer, pair), self._pass(other_reader, writer, pair))
        except OSError:
            pass
        finally:
            self._writers.discard(pair)
            for each in pair:
                each.transport.abort()

    async def _pass(self, reader, writer, pair):
        while data := await reader.read(1 << 16):
            await self._flows.wait()
            if self._swallows:
                self._victims.add(pair)
                continue
            writer.write(data)
            await writer.drain()
        for each in pair:
            each.transport.abort()

    def cut(self, share):
        for pair in [each for each in self._writers if random.random() < share]:
            for writer in pair:
                self._reset(writer)

    async def stall(self, seconds):
        self._flows.clear()
        await asyncio.sleep(seconds)
        self._flows.set()

    async def drop(self, seconds):
        self._swallows = True
        await asyncio.sleep(seconds)
        self._swallows = False
        for pair in list(self._victims):
            for writer in pair:
                self._reset(writer)
        self._victims = set()

    async def refuse(self, seconds):
        self._refuses = True
        await asyncio.sleep(seconds)
        self._refuses = False


async def main():
    cable = Cable()
    for pair in sys.argv[1].split(","):
        port, target = map(int, pair.split("="))

        def serve(reader, writer, target=target):
            return cable.serve(reader, writer, target)

        await asyncio.start_server(serve, "127.0.0.1", port, backlog=4096)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    tasks = set()
    while line := (await commands.readline()).decode().split():
        word, number = line[0], float(line[1])
        if word == "cut":
            cable.cut(number)
        else:
            task = asyncio.create_task({"stall": cable.stall, "drop": cable.drop, "refuse": cable.refuse}[word](number))
            tasks.add(task)
            task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    asyncio.run(main())
