"""The part of MQTT 3.1.1 that the consumer needs: it acknowledges messages after it has stored them."""

import socket
import struct


class Session:
    """A connection to a broker that keeps unacknowledged messages for this client."""

    def __init__(self, address, client, topic):
        host, port = address.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)
        self._rest = b""
        name = client.encode()
        # A persistent session with a keep-alive of 60 s.
        self._send(0x10, b"\x00\x04MQTT\x04\x00\x00\x3c" + struct.pack(">H", len(name)) + name)
        answer = self._packet(20)
        if answer is None or answer[0] >> 4 != 2 or answer[1][1] != 0:
            raise ConnectionError(f"the broker refuses the connection: {answer}")
        filter_ = topic.encode()
        self._send(0x82, b"\x00\x01" + struct.pack(">H", len(filter_)) + filter_ + b"\x01")

    def _send(self, kind, body):
        length, digits = len(body), b""
        while True:
            length, digit = divmod(length, 128)
            digits += bytes([digit | (0x80 if length else 0)])
            if not length:
                break
        self._socket.sendall(bytes([kind]) + digits + body)

    def _packet(self, seconds):
        """Returns the next packet; None if there is none within `seconds`."""
        self._socket.settimeout(seconds)
        while (packet := self._whole()) is None:
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                return None
            if not data:
                raise ConnectionError("the broker ended the connection")
            self._rest += data
        return packet

    def _whole(self):
        length, shift, place = 0, 0, 1
        while place < len(self._rest):
            digit = self._rest[place]
            length |= (digit & 0x7F) << shift
            place, shift = place + 1, shift + 7
            if not digit & 0x80:
                end = place + length
                if len(self._rest) < end:
                    return None
                packet, self._rest = (self._rest[0], self._rest[place:end]), self._rest[end:]
                return packet
        return None

    def message(self, seconds):
        """Returns the next message's number (None if it needs no acknowledgement) and body; None if there is none."""
        packet = self._packet(seconds)
        if packet is None or packet[0] >> 4 != 3:
            return None
        kind, body = packet
        place = 2 + struct.unpack(">H", body[:2])[0]
        if kind & 0x06 == 0:
            return None, body[place:]
        return body[place:place + 2], body[place + 2:]

    def acknowledge(self, number):
        self._send(0x40, number)

    def ping(self):
        self._send(0xC0, b"")
