import Foundation
import Synchronization

/// A broker on loopback whose answers a test scripts; it serves one connection at a time.
final class ScriptedBroker: Sendable {
    /// A received packet: its first byte, and the content after the length.
    struct Packet {
        let header: UInt8
        let body: [UInt8]

        var isConnect: Bool { header >> 4 == 1 }
        var isPublish: Bool { header >> 4 == 3 }
        /// Whether a publish packet is marked as sent before.
        var isDuplicate: Bool { header & 0x08 != 0 }
        /// The protocol version in a connect packet.
        var version: UInt8 { body[6] }
        /// Whether a connect packet begins a new session.
        var isCleanStart: Bool { body[7] & 0x02 != 0 }
        /// The session expiry interval, in seconds, in a connect packet of version 5.
        var sessionExpiry: UInt32? { Self.seconds(0x11, in: body[11...].prefix(Int(body[10]))) }
        /// The will delay interval, in seconds, in a connect packet of version 5.
        var willDelay: UInt32? {
            let id = body[(11 + Int(body[10]))...]
            let length = Int(id[id.startIndex]) << 8 | Int(id[id.startIndex + 1])
            let properties = id.dropFirst(2 + length)
            return Self.seconds(0x18, in: properties.dropFirst().prefix(Int(properties.first ?? 0)))
        }
        /// Returns a property of four bytes; nil if a property of another length precedes it.
        private static func seconds(_ id: UInt8, in properties: ArraySlice<UInt8>) -> UInt32? {
            var rest = properties
            while rest.count >= 5 {
                let value = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                if rest.first == id { return value }
                rest = rest.dropFirst(5)
            }
            return nil
        }
        /// The packet identifier of a publish packet, as two bytes.
        var id: [UInt8] { Array(body[(2 + topicLength)..<(4 + topicLength)]) }
        /// The topic of a publish packet.
        var topic: String { String(decoding: body[2..<(2 + topicLength)], as: UTF8.self) }
        private var topicLength: Int { Int(body[0]) << 8 | Int(body[1]) }
    }

    /// The bytes that answer a packet, and whether the broker then closes the connection.
    typealias Answer = (bytes: [UInt8], closes: Bool)

    let port: Int
    private let descriptor: Int32
    private let received = Mutex<[[Packet]]>([])

    /// The packets received on each connection.
    var connections: [[Packet]] { received.withLock { $0 } }

    /// Listens; `answer` receives the index of the connection, the index of the packet on it, and the packet.
    init(_ answer: @escaping @Sendable (Int, Int, Packet) -> Answer) {
        descriptor = Loopback.socket()
        var free = Loopback.freePort()
        while !Loopback.call(bind, descriptor, free) { free = Loopback.freePort() }
        port = free
        listen(descriptor, 8)
        Thread.detachNewThread { [descriptor, weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client, answer)
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func serve(_ client: Int32, _ answer: (Int, Int, Packet) -> Answer) {
        let connection = received.withLock { received in
            received.append([])
            return received.count - 1
        }
        var number = 0
        while let packet = Self.packet(from: client) {
            // Always answers pings, because on a slow machine they occur even in tests that do not expect them.
            if packet.header == 0xC0 {
                _ = send(client, [0xD0, 0], 2, Int32(MSG_NOSIGNAL))
                continue
            }
            received.withLock { $0[connection].append(packet) }
            let (bytes, closes) = answer(connection, number, packet)
            if !bytes.isEmpty { _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
            number += 1
            if closes { break }
        }
        // Closing a connection with unread bytes resets it, which loses answers.
        shutdown(client, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 65_536)
        while recv(client, &rest, rest.count, 0) > 0 {}
    }

    private static func packet(from client: Int32) -> Packet? {
        guard let header = bytes(1, from: client)?.first else { return nil }
        var length = 0
        var shift = 0
        while let byte = bytes(1, from: client)?.first {
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                return bytes(length, from: client).map { Packet(header: header, body: $0) }
            }
        }
        return nil
    }

    private static func bytes(_ count: Int, from client: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let read = recv(client, &buffer, buffer.count, 0)
            guard read > 0 else { return nil }
            bytes += buffer[..<read]
        }
        return bytes
    }

    /// Returns a packet that accepts a connection.
    static func accepted(version: UInt8, receiveMaximum: UInt8? = nil) -> [UInt8] {
        guard version == 5 else { return [0x20, 2, 0, 0] }
        let properties: [UInt8] = receiveMaximum.map { [0x21, 0, $0] } ?? []
        return [0x20, UInt8(3 + properties.count), 0, 0, UInt8(properties.count)] + properties
    }

    /// Returns a packet that acknowledges a published message.
    static func acknowledged(_ packet: Packet, reason: UInt8 = 0) -> [UInt8] {
        reason == 0 ? [0x40, 2] + packet.id : [0x40, 3] + packet.id + [reason]
    }
}
