"""The daemon releases its scanner and ends if the process that reads its events is killed."""

from daemon import texts
from scenario import K1, Scenario

GRAB = """
import fcntl, sys
fcntl.ioctl(open(sys.argv[1], "rb"), 0x40044590, 1)  # EVIOCGRAB
"""
# Starts the daemon and a reader of its output, connected by a pipe or, as some programs do, by a socket.
READER = """
import os, socket, subprocess, sys
kind, *command = sys.argv[1:]
if kind == "pipe":
    ours, theirs = os.pipe()
else:
    ours, theirs = (end.detach() for end in socket.socketpair())
program = subprocess.Popen(command, stdout=theirs)
reader = subprocess.Popen(["cat"], stdin=ours)
os.close(ours)
os.close(theirs)
print(reader.pid, file=open("reader.pid", "w"))
print(program.wait(), file=open("code", "w"))
"""


class Consumer(Scenario):

    def test_a_reader_that_is_killed_gives_the_scanner_back_at_once(self):
        (self.guest.exchange / "grab.py").write_text(GRAB)
        (self.guest.exchange / "reader.py").write_text(READER)
        node = self.node("k1")
        for kind in ("pipe", "socket"):
            self.guest.check("rm -f code reader.pid")
            program = self.run_daemon(K1, name=kind, prefix=f"python3 reader.py {kind}")
            self.guest.type("k1", "111")
            self.assertEqual(texts(program.wait_for_type("scan")), ["111"])
            self.assertIn("busy", self.guest.run(f"python3 grab.py {node}").output)
            # From here on, nothing is scanned, so no write can reveal the reader's death.
            self.guest.check(
                "while [ ! -s reader.pid ]; do sleep 0.05; done; kill -KILL $(cat reader.pid)")
            program.wait_for_log("standard output has lost its reader")
            self.guest.check(f"until python3 grab.py {node} 2>grab.log; do sleep 0.1; done")
            self.guest.check("while [ ! -s code ]; do sleep 0.05; done")
            self.assertEqual((self.guest.exchange / "code").read_text(), "1\n")
