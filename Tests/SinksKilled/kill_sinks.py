"""Kills a journal with three sinks at random, and looks at what each of them got.

usage: python3 Tests/SinksKilled/kill_sinks.py SINKSWORKLOAD [--kills 500] [--seed N]

A Mosquitto with a subscriber, a web server and a command get scans without end from a process that is killed
(SIGKILL) again and again. Then it runs to its end. By source and id each of the three must have every event that
the journal holds, in the journal's order by their first coming, and what came twice must be byte for byte the same.
"""

import argparse
import base64
import http.server
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server(http.server.ThreadingHTTPServer):
    """Says nothing of connections that end with whoever is killed."""

    def handle_error(self, request, client_address):
        pass


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps the bodies that come."""

    protocol_version = "HTTP/1.1"
    lines = []

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:
            # Whoever sent it was killed in the middle of it.
            self.close_connection = True
            return
        Receiver.lines.append(body)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def key(line):
    event = json.loads(line)
    return event["source"], event["id"]


def check(name, lines, expected):
    """Compares what a sink got with what the journal holds; gives how many came twice."""
    first, twice = {}, 0
    for line in lines:
        if not line.startswith(b"{"):
            sys.exit(f"{name}: this is no event: {line!r}")
        if (known := first.setdefault(key(line), line)) is not line:
            twice += 1
            if known != line:
                sys.exit(f"{name}: an event came twice and was not the same: {line!r}")
    wanted = [key(line) for line in expected]
    if missing := [one for one in wanted if one not in first]:
        sys.exit(f"{name}: {len(missing)} of {len(wanted)} events never came, the first {missing[0]}")
    if (order := [one for one in first if one in set(wanted)]) != wanted:
        place = next(index for index, pair in enumerate(zip(order, wanted)) if pair[0] != pair[1])
        sys.exit(f"{name}: events came out of order from {place} on")
    for one, line in zip(wanted, expected):
        if first[one] != line:
            sys.exit(f"{name}: an event is not the journal's: {first[one]!r}")
    return twice


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        port = free_port()
        secret = folder / "secret"
        secret.write_text("whsec_" + base64.b64encode(os.urandom(32)).decode())
        command = folder / "on-scan"
        command.write_text(f"#!/bin/sh\nexec cat >>{folder}/exec\n")
        command.chmod(0o755)
        server = Server(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        broker = subprocess.Popen(["mosquitto", "-p", str(port)], stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            with open(folder / "mqtt", "wb") as output:
                subscriber = subprocess.Popen(
                    ["mosquitto_sub", "-p", str(port), "-q", "1", "-t", "keywedge/#"], stdout=output)
            try:
                time.sleep(1)
                run(options, chance, folder, [
                    str(folder), str(port), f"http://127.0.0.1:{server.server_port}/", str(secret),
                    str(command)])
            finally:
                subscriber.terminate()
                subscriber.wait()
        finally:
            broker.terminate()
            broker.wait()
            server.shutdown()


def wait_for(port):
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    sys.exit("mosquitto does not listen")


def run(options, chance, folder, arguments):
    for _ in range(options.kills):
        process = subprocess.Popen(
            [options.workload, "stream", *arguments], stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, 0.6))
        process.send_signal(signal.SIGKILL)
        process.wait()
    time.sleep(1)
    drained = subprocess.run(
        [options.workload, "drain", *arguments], stdout=subprocess.PIPE, check=True, timeout=1200)
    expected = [line for line in drained.stdout.splitlines() if line.startswith(b"{")]
    time.sleep(1)
    got = {
        "mqtt": (folder / "mqtt").read_bytes().splitlines(), "webhook": list(Receiver.lines),
        "exec": (folder / "exec").read_bytes().splitlines(),
    }
    twice = {name: check(name, lines, expected) for name, lines in got.items()}
    doubled = ", ".join(f"{name} {count}" for name, count in twice.items())
    print(f"{options.kills} kills, {len(expected)} events: each sink has all of them in order; came twice: {doubled}")


if __name__ == "__main__":
    main()
