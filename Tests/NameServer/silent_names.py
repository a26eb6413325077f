#!/usr/bin/env python3
"""Runs a command with a name server that knows only shop.test, and does not answer other questions.

    unshare --mount --net Tests/NameServer/silent_names.py COMMAND [ARGUMENT ...]

It replaces /etc/resolv.conf and /etc/nsswitch.conf and brings loopback up, so it needs its own namespaces.
On shop.test:8080, a shop answers GET /p/CODE with the product CODE.
"""

import fcntl
import http.server
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

SIOCSIFFLAGS = 0x8914
IFF_UP = 1
TYPE_A = 1
# glibc waits up to 30 s for an answer, and asks five times. No test waits that long.
RESOLVER = "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n"


def mount(text, path):
    """Mounts a file with this text over another file."""
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    subprocess.run(["mount", "--bind", file.name, path], check=True)
    os.unlink(file.name)


def bring_loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as anything:
        fcntl.ioctl(anything, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def question(query):
    """Returns the name and record type that a query asks for, and the question's bytes (RFC 1035, section 4.1.2)."""
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode("ascii"))
        at += query[at] + 1
    return ".".join(labels), struct.unpack(">H", query[at + 1 : at + 3])[0], query[12 : at + 5]


def answer(query):
    """Returns the name server's reply; None for any name but shop.test."""
    name, kind, asked = question(query)
    if name != "shop.test":
        return None
    has_record = kind == TYPE_A
    head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, int(has_record), 0, 0)
    record = b"\xc0\x0c" + struct.pack(">HHIH", TYPE_A, 1, 60, 4) + socket.inet_aton("127.0.0.1")
    return head + asked + (record if has_record else b"")


def serve_names(server):
    while True:
        query, client = server.recvfrom(512)
        reply = answer(query)
        if reply:
            server.sendto(reply, client)


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        code = self.path.rsplit("/", 1)[-1]
        body = json.dumps({"id": code, "ean": code}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def main():
    bring_loopback_up()
    mount(RESOLVER, "/etc/resolv.conf")
    mount("hosts: files dns\n", "/etc/nsswitch.conf")
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    shop = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Shop)
    for work in [lambda: serve_names(names), shop.serve_forever]:
        threading.Thread(target=work, daemon=True).start()
    return subprocess.run(sys.argv[1:]).returncode


if __name__ == "__main__":
    sys.exit(main())
