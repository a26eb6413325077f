"""A fleet of registers, a cluster of brokers and a database, with everything killed at random.

usage: /usr/bin/python3 Tests/Fleet/fleet.py KEYWEDGE WORKLOAD [--cluster rabbitmq|nats] [--minutes 4] …

There are three brokers, 20 real `keywedge run --replay` and 2,000 simulated registers, each with its own journal, a
consumer that writes into PostgreSQL, and a cable between registers and brokers that breaks connections. For some
minutes, the leader, a follower, the consumer, real registers and a thousand simulated ones are killed. Then all brokers
are killed, and each simulated register makes ten minutes of scans. In the end, every event of every journal must be in
the table once, byte for byte. Half of the registers have one event in flight, and their events must arrive in order.
The others have 20: an event may arrive up to 19 places early. All processes use loopback and end with the test.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile
import time

from database import Database
from nats import NATS
from processes import Program, free_ports, usage_of, wait_for
from rabbitmq import RabbitMQ
from registers import IN_FLIGHT, RealRegister, SimulatedRegisters, count_journal, read_journal

HERE = pathlib.Path(__file__).parent
# The most simulated registers in a process: each has ten files open, and a process may open only so many.
PER_PROCESS = 1000
# How many seconds the remaining events may take to arrive in the end.
PATIENCE = 1200


def overtaking(arrivals):
    """Returns by how many places an event arrived too early at most: its distance to the first missing event then.

    `arrivals` are the times of arrival of a register's events, in the order in which they were made. For 3, 1, 2 the
    result is 2: when the third event arrived, the first was still missing.
    """
    most = missing = 0
    there = set()
    for place in sorted(range(len(arrivals)), key=arrivals.__getitem__):
        most = max(most, place - missing)
        there.add(place)
        while missing in there:
            missing += 1
    return most


class Fleet:
    """All processes of the test."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.begin = time.monotonic()
        self.cluster = {"rabbitmq": RabbitMQ, "nats": NATS}[options.cluster](folder)
        self.database = Database(folder)
        self.kills = {}
        ports = free_ports(3)
        pairs = ",".join(f"{port}={target}" for port, target in zip(ports, self.cluster.mqtt_ports))
        self.cable = Program("cable", [sys.executable, HERE / "cable.py", pairs], folder / "cable.log", stdin=-1)
        brokers = [f"mqtt://127.0.0.1:{port}" for port in ports]
        self.consumer = Program(
            "consumer", [
                sys.executable, HERE / "consumer.py", self.cluster.consumer, ",".join(self.cluster.addresses()),
                self.database.dsn], folder / "consumer.log")
        workload = ["--interval", str(options.interval), "--catch-up", options.catch_up, "--topic",
                    self.cluster.topic, "--spread", str(options.spread), "--in-flight", ",".join(map(str, IN_FLIGHT))]
        self.simulated = [
            SimulatedRegisters(
                options.workload, folder, first, min(PER_PROCESS, options.simulated - first), brokers, workload)
            for first in range(0, options.simulated, PER_PROCESS)]
        self.real = [
            RealRegister(options.program, folder, number, brokers, self.cluster.topic, options.catch_up,
                         options.interval / 4)
            for number in range(options.real)]

    def say(self, text):
        print(f"{time.monotonic() - self.begin:6.1f} s  {text}", flush=True)

    def start(self):
        self.database.start()
        self.cluster.start()
        self.consumer.start()
        wait_for("the consumer has subscribed", lambda: "ready" in self.consumer.tail(), 300)
        self.cable.start()
        for group in self.simulated:
            group.start()
        for register in self.real:
            register.start()
        wait_for(
            "half of the registers have sent something",
            lambda: self.database.ask(
                "SELECT count(DISTINCT source) FROM event WHERE source LIKE '%/scanners/%'")[0][0]
            >= (self.options.simulated + self.options.real) / 2, self.options.patience)

    def tell_cable(self, command):
        self.cable.process.stdin.write(command.encode() + b"\n")
        self.cable.process.stdin.flush()

    def count_kill(self, what):
        self.kills[what] = self.kills.get(what, 0) + 1

    def kill_broker(self, which):
        """Kills a broker, and starts it again."""
        leader = self.cluster.leader()
        others = [index for index in range(3) if index != leader]
        index = leader if which == "leader" else random.choice(others)
        self.cluster.nodes[index].kill()
        self.say(f"killed the {which}, {self.cluster.nodes[index].name}")
        self.count_kill(which)
        time.sleep(random.uniform(0, 5))
        self.cluster.nodes[index].start()
        self.cluster.wait_for(index)
        self.say(f"{self.cluster.nodes[index].name} is back; {self.database.count()} events in the table")

    def kill_simulated(self):
        group = random.choice(self.simulated)
        group.program.kill()
        group.start()
        self.count_kill(f"{group.count} simulated registers")
        self.say(f"killed {group.count} simulated registers")

    def kill_real(self):
        for register in random.sample(self.real, min(len(self.real), random.randint(1, 5))):
            register.program.kill()
            register.start()
            self.count_kill("keywedge run")

    def kill_consumer(self):
        self.consumer.kill()
        time.sleep(random.uniform(0, 2))
        self.consumer.start()
        self.count_kill("consumer")

    def keep_consumer(self):
        """Starts the consumer again if it has ended, as a service manager does."""
        if not self.consumer.is_running:
            self.say(f"the consumer has ended: {self.consumer.tail(200)}")
            self.consumer.start()

    def break_cable(self):
        word, number = random.choice([
            ("cut", random.uniform(0.05, 1)), ("stall", random.uniform(1, 8)), ("drop", random.uniform(0.5, 4)),
            ("refuse", random.uniform(1, 5))])
        self.tell_cable(f"{word} {number:.2f}")
        self.count_kill(f"cable: {word}")

    def trouble(self):
        """Breaks one thing after another for a while; raises TimeoutError if a killed broker does not come back."""
        end = time.monotonic() + 60 * self.options.minutes
        which = ["leader", "follower"]
        next_simulated = time.monotonic() + self.options.minutes * 20
        with concurrent.futures.ThreadPoolExecutor() as pool:
            broker = pool.submit(self.kill_broker, which[0])
            while time.monotonic() < end:
                # Only one broker is away at a time, so that a majority keeps running.
                if broker.done():
                    broker.result()
                    which.append(which.pop(0))
                    broker = pool.submit(self.kill_broker, which[0])
                random.choice([self.kill_real, self.kill_consumer, self.break_cable, self.break_cable])()
                self.keep_consumer()
                if time.monotonic() > next_simulated:
                    self.kill_simulated()
                    next_simulated += self.options.minutes * 30
                time.sleep(random.uniform(1, 6))
            broker.result()

    def outage(self):
        """Kills all brokers, makes the scans of several minutes, and starts the brokers again."""
        for node in self.cluster.nodes:
            node.kill()
        self.say("killed all brokers")
        self.count_kill("all brokers at once")
        for group in self.simulated:
            group.tell(f"past {60 * self.options.outage}")
        wait_for("the scans are made", lambda: all("past" in group.notes for group in self.simulated), 300)
        behind = self.made() - self.database.count()
        before = self.database.received()
        for index, node in enumerate(self.cluster.nodes):
            node.start()
        for index in range(3):
            self.cluster.wait_for(index)
        self.say(f"all brokers are back; {behind} events wait")
        return self.flood(before)

    def made(self):
        """Returns how many events all journals have."""
        return sum(count_journal(path) for path, _ in self.journals())

    def journals(self):
        """Returns all journals, with the number of events that each register has in flight."""
        return [pair for group in self.simulated for pair in group.journals()] + [
            (register.journal, register.in_flight) for register in self.real]

    def flood(self, before):
        """Waits until all events are in the table; prints how fast they arrived, and the brokers' memory.

        Raises TimeoutError if that takes too long.
        """
        wanted, begin = self.made(), time.monotonic()
        memory = rate = 0
        last, moment = before, begin
        while (count := self.database.count()) < wanted:
            if time.monotonic() > begin + PATIENCE:
                raise TimeoutError(f"after the outage, {wanted - count} events are not in the table after {PATIENCE} s")
            time.sleep(2)
            self.keep_consumer()
            now, received = time.monotonic(), self.database.received()
            rate, last, moment = max(rate, (received - last) / (now - moment)), received, now
            memory = max(memory, usage_of(self.cluster.nodes)[0])
        took = time.monotonic() - begin
        self.say(f"the flood took {took:.0f} s, at {rate:.0f} events a second at the most; "
                 f"the brokers used {memory:.0f} MB at the most")

    def settle(self):
        """Ends the scanning, and waits until the remaining events are in the table."""
        for group in self.simulated:
            group.tell("pause")
        for register in self.real:
            register.program.kill()
            register.start(scans=1)
        # Each real register makes its last scan after a wait of at most half the interval.
        time.sleep(3 + self.options.interval / 2)
        try:
            wait_for(
                "all events are in the table",
                lambda: self.keep_consumer() or self.database.count() >= self.made(), PATIENCE)
        except TimeoutError as error:
            self.say(str(error))
        time.sleep(2)

    def check(self):
        """Compares the table with the journals, and returns what is wrong."""
        found, arrivals, faults = self.database.keys(), self.database.arrivals(), []
        wanted = {}
        lost = {"acknowledged": [], "not yet": []}
        journals, overtaken = self.journals(), 0
        for path, in_flight in journals:
            rows, cursor = read_journal(path)
            most = overtaking([arrivals[key] for source, id, _, _ in rows if (key := (source, id)) in arrivals])
            overtaken += most > 0
            if most >= in_flight:
                faults.append(f"{path.parent.name}: an event arrived {most} places too early, with {in_flight} in flight")
            for source, id, sequence, line in rows:
                wanted[source, id] = None
                if (there := found.get((source, id))) is None:
                    lost["acknowledged" if sequence <= cursor else "not yet"].append((source, id, sequence))
                elif there.encode() != bytes(line):
                    faults.append(f"{source} {id} differs from the journal")
        if lost["acknowledged"]:
            faults.append(f"{len(lost['acknowledged'])} events were acknowledged by the brokers and lost, the first "
                          f"{lost['acknowledged'][0]}")
        if lost["not yet"]:
            faults.append(f"{len(lost['not yet'])} events were never acknowledged, the first {lost['not yet'][0]}")
        if more := [key for key in found if key not in wanted]:
            faults.append(f"{len(more)} events are in the table and in no journal, the first {more[0]}")
        twice = self.database.received() - len(found)
        self.say(f"{self.cluster.name}: {len(wanted)} events of {len(journals)} registers, {len(found)} in the "
                 f"table, {twice} came once more, {overtaken} registers' events were overtaken; killed or broken: "
                 + ", ".join(f"{what} {count}" for what, count in sorted(self.kills.items())))
        return faults

    def stop(self):
        for register in self.real:
            register.program.kill()
        for group in self.simulated:
            group.program.kill()
        for program in (self.cable, self.consumer):
            program.kill()
        self.cluster.stop()
        self.database.stop()

    def explain(self):
        for group in self.simulated:
            group.tell("words")
        time.sleep(1)
        for group in self.simulated:
            print(f"{group.name}: {group.figures[-1:]} {group.words[-8:]}\n{group.program.tail()}", file=sys.stderr)
        for program in [self.consumer, self.cable, *(one.program for one in self.real[:2]), *self.cluster.nodes]:
            print(f"--- {program.name}\n{program.tail(1200)}", file=sys.stderr)
        print(self.database.ask("SELECT source, count(*) FROM event GROUP BY 1 ORDER BY 1 LIMIT 5"), file=sys.stderr)


def run(options, folder):
    folder.chmod(0o755)  # the database has a user of its own
    fleet = Fleet(options, folder)
    faults = ["the test was interrupted"]
    try:
        fleet.start()
        fleet.say(f"{fleet.cluster.name}: {options.simulated} simulated and {options.real} real registers are running")
        fleet.trouble()
        if options.outage:
            fleet.outage()
        fleet.settle()
        faults = fleet.check()
    except TimeoutError as error:
        faults = [str(error)]
    finally:
        if faults:
            fleet.explain()
        fleet.stop()
    for fault in faults:
        print(f"{fleet.cluster.name}: {fault}", file=sys.stderr)
    return not faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("workload", type=pathlib.Path)
    parser.add_argument("--cluster", choices=["rabbitmq", "nats"], default="rabbitmq")
    parser.add_argument("--simulated", type=int, default=2000)
    parser.add_argument("--real", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=4, help="minutes of kills and broken connections")
    parser.add_argument("--outage", type=float, default=10, help="minutes of scans while all brokers are down")
    parser.add_argument("--interval", type=float, default=20, help="seconds between scans of a register")
    parser.add_argument("--spread", type=float, default=30, help="seconds within which all registers start")
    parser.add_argument("--catch-up", default="2/s")
    parser.add_argument("--patience", type=float, default=300, help="seconds that the start may take")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    options = parser.parse_args()
    options.program, options.workload = options.program.resolve(), options.workload.resolve()
    for part in ({"rabbitmq": RabbitMQ, "nats": NATS}[options.cluster], Database):
        if reason := part.missing():
            sys.exit(reason)
    random.seed(options.seed)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="keywedge-fleet-") as name:
        sys.exit(0 if run(options, pathlib.Path(name)) else 1)


if __name__ == "__main__":
    main()
