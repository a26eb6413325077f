import Events
import FoundationEssentials
import Journal
package import KeywedgeConfiguration
import Logging
import Sinks
import Synchronization
import WebAPI
import WireText

/// Tries a sink beside the daemon that uses it: connects, or gives it a test event.
package struct SinkTrial: Sendable {
    private let factory: SinkFactory
    private let register: String
    private let limit: Duration

    /// Makes a trial in which a sink may take as long as `limit`; nothing is connected yet.
    package init(
        register: String, credentialsFolder: String?, limit: Duration = .seconds(15)
    ) {
        factory = SinkFactory(
            .standard, register: register, credentialsFolder: credentialsFolder,
            conditions: SinkConditions(of: .standard),
            log: Logger(label: "keywedge.doctor") { _ in SwiftLogNoOpLogHandler() })
        self.register = register
        self.limit = limit
    }

    /// Connects and authenticates, without a request to a web server.
    ///
    /// Returns the cause if that fails; nil if it succeeds, and for a sink without a connection.
    package func connect(_ sink: SinkConfiguration) async -> String? {
        do {
            switch sink {
            case .mqtt(let mqtt): return try await connect(mqtt)
            case .webhook(let webhook):
                _ = try factory.outlet(of: sink, name: "webhook")
                let probe = try ConnectionProbe(tls: factory.tls(of: webhook))
                let origin = try Location(webhook.url).address.origin
                return await probe.run(to: origin, within: limit).error.map { "\($0)" }
            case .exec, .stdout, .keyboard: return nil
            }
        } catch let error as SinkOpeningError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// Connects to each broker of a sink.
    private func connect(_ mqtt: MQTTConfiguration) async throws -> String? {
        var troubles: [String] = []
        for address in mqtt.settings.addresses {
            var one = mqtt
            one.settings.addresses = [address]
            if let trouble = try await give([], to: .mqtt(one)) { troubles.append(trouble) }
        }
        return troubles.isEmpty ? nil : troubles.joined(separator: "; ")
    }

    /// Gives a sink a test event; returns the cause if that fails.
    package func send(_ sink: SinkConfiguration) async -> String? {
        do {
            return try await give([JournalEntry(testEvent)], to: sink)
        } catch {
            return "\(error)"
        }
    }

    private var testEvent: Event {
        Event(
            id: UUID().uuidString.lowercased(), source: "/keywedge/\(register)", type: .test,
            time: SystemClock().now, sequence: 0,
            data: ["message": "A test of keywedge doctor: nothing was scanned."])
    }

    /// Why an event was refused for good; set from any thread.
    private final class Refusal: Sendable {
        let reason = Mutex<String?>(nil)
    }

    /// The first thing to happen in a trial.
    private enum Outcome: Sendable {
        case taken(TakeOutcome)
        case trouble(String)
        case late
    }

    private func give(
        _ entries: [JournalEntry], to sink: SinkConfiguration
    ) async throws -> String? {
        guard let outlet = try factory.outlet(of: sink.besideTheDaemon(register), name: "doctor")
        else { return nil }
        let (troubles, trouble) = AsyncStream<String>.makeStream()
        let reporter = SinkStatusReporter { notice in
            if case .trouble(let text) = notice { trouble.yield(text) }
        }
        let refusal = Refusal()
        try outlet.begin(reporter)
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                .taken(
                    await outlet.take(entries) { _, verdict in
                        if case .refused(let reason) = verdict {
                            refusal.reason.withLock { $0 = reason }
                        }
                    })
            }
            group.addTask {
                for await text in troubles { return .trouble(text) }
                return .late
            }
            group.addTask { [limit] in
                try? await Task.sleep(for: limit)
                return .late
            }
            let first = await group.next() ?? .late
            group.cancelAll()
            return first
        }
        await outlet.end()
        return reason(outcome, refusal.reason.withLock { $0 })
    }

    private func reason(_ outcome: Outcome, _ refusal: String?) -> String? {
        switch outcome {
        case .taken(.all): refusal.map { "it refuses the event: \($0)" }
        case .taken(.later(let reason, after: _)): reason
        case .trouble(let text): text
        case .taken(.cancelled), .late: "it has not answered for \(limit.text)"
        }
    }
}

extension SinkConfiguration {
    /// The sink for a trial: under another name, since a broker disconnects the daemon if a client
    /// comes with the same one, and without the register's presence, which the daemon reports.
    fileprivate func besideTheDaemon(_ register: String) -> SinkConfiguration {
        guard case .mqtt(var mqtt) = self else { return self }
        let name = mqtt.clientID ?? "keywedge-\(register)-\(durableName ?? "mqtt")"
        mqtt.clientID = "\(name.prefix(121))-doctor"
        mqtt.settings.presence = nil
        mqtt.settings.discoveryPrefix = nil
        mqtt.settings.noSubscriber = .warn
        return .mqtt(mqtt)
    }
}
