"""Three RabbitMQ nodes on loopback, with MQTT, and a quorum queue for all events."""

import os
import pathlib
import subprocess

import pika

from processes import Program, free_ports, is_listening, wait_for

SBIN = next(iter(sorted(pathlib.Path("/usr/lib/rabbitmq/lib").glob("rabbitmq_server-*/sbin"))), None)
QUEUE = "events"


class RabbitMQ:
    """A cluster of RabbitMQ nodes."""

    name = "RabbitMQ"
    topic = "keywedge/{register}/{scanner}/{type}"
    consumer = "amqp"
    # In seconds. A node takes more than half a minute to start.
    patience = 900

    def __init__(self, folder, count=3):
        self._folder = folder
        ports = free_ports(3 * count + 1)
        self.epmd_port = ports.pop()
        self.mqtt_ports, self.amqp_ports, self._dist_ports = ports[:count], ports[count:2 * count], ports[2 * count:]
        self._epmd = Program(
            "epmd", ["epmd", "-address", "127.0.0.1", "-port", self.epmd_port], folder / "epmd.log",
            self._environment(0))
        self.nodes = [self._node(index) for index in range(count)]

    def _name(self, index):
        return f"keywedge{index}@localhost"

    def _environment(self, index):
        home = self._folder / f"rabbit{index}"
        home.mkdir(exist_ok=True)
        # All nodes and commands authenticate each other with the same cookie.
        cookie = home / ".erlang.cookie"
        if not cookie.exists():
            cookie.write_text("keywedgefleet")
            cookie.chmod(0o400)
        return {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(home), "LANG": "C.UTF-8",
            "ERL_EPMD_PORT": str(self.epmd_port), "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": self._name(index), "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        }

    def _node(self, index):
        environment = self._environment(index)
        home = pathlib.Path(environment["HOME"])
        (home / "plugins").write_text("[rabbitmq_mqtt].\n")
        nodes = "".join(
            f"cluster_formation.classic_config.nodes.{number + 1} = {self._name(number)}\n"
            for number in range(len(self.mqtt_ports)))
        (home / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.amqp_ports[index]}\n"
            f"mqtt.listeners.tcp.1 = 127.0.0.1:{self.mqtt_ports[index]}\n"
            "mqtt.allow_anonymous = true\nmqtt.vhost = /\nmqtt.exchange = amq.topic\n"
            "cluster_formation.peer_discovery_backend = classic_config\n" + nodes)
        environment |= {
            "RABBITMQ_CONFIG_FILE": str(home / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(home / "mnesia"), "RABBITMQ_LOG_BASE": str(home / "log"),
            "RABBITMQ_DIST_PORT": str(self._dist_ports[index]),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none",
        }
        return Program(self._name(index), [SBIN / "rabbitmq-server"], self._folder / f"rabbit{index}.log", environment)

    @staticmethod
    def missing():
        """Returns why the cluster cannot run here; None if it can."""
        return None if SBIN else "rabbitmq-server is not installed"

    def start(self):
        self._epmd.start()
        wait_for("epmd listens", lambda: is_listening(self.epmd_port), self.patience)
        for node in self.nodes:
            node.start()
        for index in range(len(self.nodes)):
            self.wait_for(index)
        # The queue gets replicas only on the nodes that are in the cluster when it is declared.
        wait_for("all nodes are in the cluster", lambda: self._size() == len(self.nodes), self.patience)
        with self.connection(0) as connection:
            channel = connection.channel()
            channel.queue_declare(QUEUE, durable=True, arguments={"x-queue-type": "quorum"})
            channel.queue_bind(QUEUE, "amq.topic", "keywedge.#")

    def wait_for(self, index):
        wait_for(
            f"{self._name(index)} takes MQTT", lambda: is_listening(self.mqtt_ports[index]), self.patience)

    def connection(self, index):
        return pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", self.amqp_ports[index]))

    def _ask(self, index, expression):
        return subprocess.run(
            [SBIN / "rabbitmqctl", "-n", self._name(index), "eval", expression], env=self._environment(index),
            capture_output=True, text=True, timeout=60).stdout

    def _size(self):
        for index, node in enumerate(self.nodes):
            if node.is_running:
                return self._ask(index, "length(rabbit_nodes:all_running()).").strip().isdecimal() and int(
                    self._ask(index, "length(rabbit_nodes:all_running()).").strip())
        return 0

    def leader(self):
        """Returns the node that leads the queue; the first if no node says."""
        for index, node in enumerate(self.nodes):
            if not node.is_running:
                continue
            try:
                text = self._ask(
                    index, "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"events\">>)), "
                    "element(2, amqqueue:get_pid(Q)).")
            except subprocess.TimeoutExpired:
                continue
            for number in range(len(self.nodes)):
                if f"keywedge{number}@" in text:
                    return number
        return 0

    def stop(self):
        for node in self.nodes:
            node.kill()
        self._epmd.kill()

    def addresses(self):
        """Returns the addresses to which the consumer connects."""
        return [f"127.0.0.1:{port}" for port in self.amqp_ports]
