import Foundation
import TestFolders
import TestWaiting
import Testing

@testable import Sinks

/// A Mosquitto broker on loopback.
final class Broker: Sendable {
    let port: Int
    let folder: TemporaryFolder
    private let configuration: String
    nonisolated(unsafe) private var process: TestProcess?

    /// Whether Mosquitto is installed on this machine.
    static var isThere: Bool {
        ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].contains {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Makes a broker with extra lines of configuration, in which `FOLDER` stands for its folder.
    init(_ lines: String = "allow_anonymous true", isStarted: Bool = true) throws {
        folder = try TemporaryFolder()
        port = Loopback.freePort()
        let text = """
            listener \(port) 127.0.0.1
            user root
            max_queued_messages 0
            \(lines.replacing("FOLDER", with: folder.path))
            """
        configuration = try folder.write(text + "\n", to: "mosquitto.conf")
        if isStarted { try start() }
    }

    /// Starts the broker, and waits until it listens.
    func start() throws {
        process = try TestProcess(
            ["mosquitto", "-c", configuration], output: folder.path("mosquitto.log"))
        let limit = ContinuousClock.now + .patience
        while ContinuousClock.now < limit {
            if Loopback.isListening(port) { return }
            usleep(10_000)
        }
        let log = try? String(contentsOfFile: folder.path("mosquitto.log"), encoding: .utf8)
        throw NotListening(log: log ?? "")
    }

    /// Sends the broker a signal, and waits until it has ended.
    func end(_ signal: Int32 = SIGTERM) {
        process?.end(signal)
        process = nil
    }

    /// Settings of a sink that publishes to this broker.
    func settings(_ topic: String = "keywedge/{register}/{scanner}/{type}") throws -> MQTTSettings {
        let address = try #require(MQTTAddress("mqtt://127.0.0.1:\(port)"))
        return MQTTSettings(
            addresses: [address], topic: try TopicTemplate(topic), clientID: "keywedge-test")
    }

    /// Subscribes to all topics, and waits until messages arrive.
    func subscriber(_ arguments: [String] = []) async throws -> Subscriber {
        let subscriber = try Subscriber(port: port, arguments)
        try await subscriber.isReady()
        return subscriber
    }

    struct NotListening: Error {
        let log: String
    }
}

/// A `mosquitto_sub` that subscribes to all topics.
final class Subscriber: Sendable {
    /// A received message.
    struct Message: Equatable {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    private let folder: TemporaryFolder
    private let process: TestProcess
    private let port: Int

    init(port: Int, _ arguments: [String]) throws {
        folder = try TemporaryFolder()
        self.port = port
        process = try TestProcess(
            [
                "mosquitto_sub", "-h", "127.0.0.1", "-p", String(port), "-V", "5", "-q", "1",
                "-t", "#", "-F", "%r %t %x",
            ] + arguments, output: folder.path("messages"))
    }

    /// Publishes messages until one arrives.
    func isReady() async throws {
        let isThere = try await eventually {
            try TestProcess(
                [
                    "mosquitto_pub", "-h", "127.0.0.1", "-p", String(port), "-t", "ready", "-m",
                    "ready",
                ], output: folder.path("pub")
            ).finish()
            return try all.contains { $0.topic == "ready" }
        }
        try #require(isThere)
    }

    /// The messages received so far, without those that ``isReady()`` published.
    var messages: [Message] {
        get throws { try all.filter { $0.topic != "ready" } }
    }

    private var all: [Message] {
        get throws {
            let text = try String(contentsOfFile: folder.path("messages"), encoding: .utf8)
            // The last line may be incomplete.
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .compactMap { line in
                    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
                    guard parts.count == 3 else { return nil }
                    return Message(
                        topic: String(parts[1]), payload: Self.bytes(parts[2]),
                        isRetained: parts[0] == "1")
                }
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }
}
