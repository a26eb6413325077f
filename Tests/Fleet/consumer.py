"""Stores each event from a cluster of brokers once in a table; a separate process, so that the test can kill it.

usage: consumer.py amqp|mqtt HOST:PORT,HOST:PORT… DSN

It acknowledges events after they are committed. Those that it had not acknowledged when it was killed arrive again,
and `ON CONFLICT (source, id) DO NOTHING` skips the ones that are already stored.
"""

import json
import sys
import time

import pika
import psycopg2
import psycopg2.extras

from mqtt import Session

BATCH = 500


class Table:
    """The database's table of events."""

    def __init__(self, dsn):
        self._connection = psycopg2.connect(dsn)

    def put(self, bodies):
        rows = []
        for body in bodies:
            if not body.startswith(b"{"):
                continue  # a register's presence
            event = json.loads(body)
            rows.append((event["source"], event["id"], int(event["sequence"]), body.decode()))
        with self._connection, self._connection.cursor() as cursor:
            psycopg2.extras.execute_values(
                cursor, "INSERT INTO event (source, id, sequence, line) VALUES %s "
                "ON CONFLICT (source, id) DO NOTHING", rows, page_size=BATCH)
            cursor.execute("UPDATE tally SET received = received + %s", (len(rows),))


def from_amqp(address, table):
    host, port = address.split(":")
    parameters = pika.ConnectionParameters(host, int(port), heartbeat=20, blocked_connection_timeout=30)
    with pika.BlockingConnection(parameters) as connection:
        channel = connection.channel()
        channel.basic_qos(prefetch_count=2 * BATCH)
        print("ready", flush=True)
        bodies, last = [], None
        for method, _, body in channel.consume("events", inactivity_timeout=0.2):
            if method is not None:
                bodies.append(body)
                last = method.delivery_tag
            if bodies and (method is None or len(bodies) >= BATCH):
                table.put(bodies)
                channel.basic_ack(last, multiple=True)
                bodies = []


def from_mqtt(address, table):
    session = Session(address, "head-office", "keywedge/#")
    print("ready", flush=True)
    held, spoken = [], time.monotonic()
    while True:
        # Messages that arrive right after the first go into the same batch.
        message = session.message(0.002 if held else 0.2)
        if message is not None:
            held.append(message)
        if held and (message is None or len(held) >= BATCH):
            table.put([body for _, body in held])
            for number, _ in held:
                if number is not None:
                    session.acknowledge(number)
            held = []
        if time.monotonic() - spoken > 20:
            session.ping()
            spoken = time.monotonic()


def main():
    kind, addresses, dsn = sys.argv[1:]
    addresses = addresses.split(",")
    table = Table(dsn)
    while True:
        try:
            {"amqp": from_amqp, "mqtt": from_mqtt}[kind](addresses[0], table)
        except (OSError, pika.exceptions.AMQPError, psycopg2.InterfaceError) as error:
            print(f"{addresses[0]}: {type(error).__name__} {error}", file=sys.stderr, flush=True)
            time.sleep(0.5)
        addresses.append(addresses.pop(0))


if __name__ == "__main__":
    main()
