import Events
package import Journal
import WebAPI
package import WireText

/// Sends events to an MQTT broker, each once the broker has acknowledged those 20 before it.
package struct MQTTOutlet: DurableOutlet {
    private let connection: MQTTConnection
    private let expiry: [EventType: UInt32]
    private let topic: TopicTemplate

    /// Makes an outlet that is not connected yet.
    ///
    /// - Parameters:
    ///   - settings: How events go to the broker.
    ///   - security: What proves who is who.
    ///   - register: The register's name.
    ///   - scanners: The names of the configured scanners.
    /// - Throws: Where the kernel has nothing to give.
    package init(
        _ settings: MQTTSettings, security: MQTTSecurity, register: String, scanners: [String]
    ) throws(SystemCallError) {
        let birth = MQTTBirthMessages(settings, register: register, scanners: scanners)
        connection = try MQTTConnection(settings, security: security, birth: birth)
        topic = settings.topic
        expiry = settings.expiry.mapValues { UInt32(clamping: max(1, $0.components.seconds)) }
    }

    /// Connects, on a thread of its own.
    package func begin(_ reporter: SinkStatusReporter) throws { try connection.start(reporter) }

    /// Sends events and waits for the broker's acknowledgements.
    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        let messages = entries.map { entry in
            MQTTClient.Message(
                topic: topic.topic(of: entry), payload: entry.line,
                contentType: "application/cloudevents+json", expiry: expiry[entry.type])
        }
        return await connection.send(messages, settled: settled)
    }

    /// Tells that the register goes away, and disconnects.
    package func end() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await connection.end() }
            group.addTask {
                try? await EventLoopClock().sleep(for: MQTTConnection.endLimit * 1.5)
                connection.giveUpEnding()
            }
            await group.next()
            group.cancelAll()
        }
    }
}
