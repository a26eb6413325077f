"""The test's own PostgreSQL server, on a socket in its folder."""

import os
import pathlib
import pwd
import subprocess

import psycopg2

from processes import Program, wait_for

BINARIES = next(iter(sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


class Database:
    """A PostgreSQL server with a table of events."""

    def __init__(self, folder):
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self._folder = folder / "postgres"
        self._folder.mkdir()
        if os.geteuid() == 0:
            os.chown(self._folder, pwd.getpwnam("postgres").pw_uid, -1)
        data = self._folder / "data"
        subprocess.run(
            [BINARIES / "initdb", "-D", data, "-U", "keywedge", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, user=self._user, cwd=self._folder)
        self._server = Program(
            "postgres", [
                BINARIES / "postgres", "-D", data, "-c", "listen_addresses=", "-k", self._folder,
                "-c", "max_connections=20"],
            folder / "postgres.log", user=self._user)
        self.dsn = f"host={self._folder} user=keywedge dbname=postgres"

    @staticmethod
    def missing():
        return None if BINARIES else "postgresql is not installed"

    def start(self):
        self._server.start()
        wait_for("postgres answers", self._answers, 300)
        self._connection = psycopg2.connect(self.dsn)
        self._connection.autocommit = True
        self.ask("""
            CREATE TABLE event (
                arrival bigint GENERATED ALWAYS AS IDENTITY, source text, id text, sequence bigint NOT NULL,
                line text NOT NULL, PRIMARY KEY (source, id));
            CREATE TABLE tally (received bigint NOT NULL);
            INSERT INTO tally VALUES (0)""")

    def _answers(self):
        try:
            psycopg2.connect(self.dsn).close()
        except psycopg2.OperationalError:
            return False
        return True

    def ask(self, statement):
        """Runs a statement, and returns its rows."""
        with self._connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def count(self):
        return self.ask("SELECT count(*) FROM event")[0][0]

    def received(self):
        """Returns how many events arrived, including those that were already in the table."""
        return self.ask("SELECT received FROM tally")[0][0]

    def keys(self):
        return {(source, id): line for source, id, line in self.ask("SELECT source, id, line FROM event")}

    def arrivals(self):
        """Returns each event's place in the order in which the events first arrived."""
        return {(source, id): arrival for source, id, arrival in self.ask("SELECT source, id, arrival FROM event")}

    def stop(self):
        self._server.end()
