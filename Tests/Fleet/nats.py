"""Three NATS servers on loopback: JetStream with three replicas, and MQTT."""

import json
import pathlib
import shutil
import urllib.request

from processes import Program, free_ports, is_listening, wait_for


class NATS:
    """A cluster of NATS servers."""

    name = "NATS"
    topic = "keywedge/{register}/{scanner}"
    consumer = "mqtt"
    patience = 900

    def __init__(self, folder, count=3):
        self._folder = folder
        ports = free_ports(4 * count)
        self.mqtt_ports, self._client_ports = ports[:count], ports[count:2 * count]
        self._cluster_ports, self._http_ports = ports[2 * count:3 * count], ports[3 * count:]
        self.nodes = [self._node(index) for index in range(count)]

    def _node(self, index):
        routes = [f"nats://127.0.0.1:{port}" for port in self._cluster_ports]
        file = self._folder / f"nats{index}.json"
        file.write_text(json.dumps({
            "server_name": f"nats{index}", "listen": f"127.0.0.1:{self._client_ports[index]}",
            "http": f"127.0.0.1:{self._http_ports[index]}",
            "jetstream": {"store_dir": str(self._folder / f"nats{index}")},
            "cluster": {
                "name": "keywedge", "listen": f"127.0.0.1:{self._cluster_ports[index]}", "routes": routes},
            "mqtt": {"listen": f"127.0.0.1:{self.mqtt_ports[index]}", "stream_replicas": 3, "max_ack_pending": 1, "ack_wait": "2s"},
        }))
        return Program(
            f"nats{index}", ["nats-server", "--config", file], self._folder / f"nats{index}.log")

    @staticmethod
    def missing():
        return None if shutil.which("nats-server") else "nats-server is not installed"

    def start(self):
        for node in self.nodes:
            node.start()
        for index in range(len(self.nodes)):
            self.wait_for(index)
        wait_for("JetStream has a leader", lambda: self._meta_leader() is not None, self.patience)

    def wait_for(self, index):
        wait_for(f"nats{index} takes MQTT", lambda: is_listening(self.mqtt_ports[index]), self.patience)

    def _look(self, index, path):
        address = f"http://127.0.0.1:{self._http_ports[index]}{path}"
        with urllib.request.urlopen(address, timeout=5) as answer:
            return json.load(answer)

    def _meta_leader(self):
        for index, node in enumerate(self.nodes):
            if node.is_running:
                try:
                    name = self._look(index, "/jsz").get("meta_cluster", {}).get("leader")
                except OSError:
                    continue
                if name:
                    return name
        return None

    def leader(self):
        """Returns the server that leads the stream of messages with QoS 1; the first if no server says."""
        for index, node in enumerate(self.nodes):
            if not node.is_running:
                continue
            try:
                accounts = self._look(index, "/jsz?streams=true&accounts=true").get("account_details", [])
            except OSError:
                continue
            for stream in (one for account in accounts for one in account.get("stream_detail", [])):
                leader = stream.get("cluster", {}).get("leader", "")
                if stream["name"] == "$MQTT_msgs" and leader:
                    return int(leader.removeprefix("nats"))
        return 0

    def stop(self):
        for node in self.nodes:
            node.kill()

    def addresses(self):
        return [f"127.0.0.1:{port}" for port in self.mqtt_ports]
