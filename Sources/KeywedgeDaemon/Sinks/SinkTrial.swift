import Events
import FoundationEssentials
import HTTPCatalog
import Journal
package import KeywedgeConfiguration
package import Sinks
import WebAPI
import WireText

/// A trial that connects to a sink or sends it a test event, even while the daemon uses the sink.
package struct SinkTrial: Sendable {
    private let register: String
    private let secrets: SecretReader
    private let limit: Duration

    package init(register: String, credentialsFolder: String?, limit: Duration = .seconds(15)) {
        self.register = register
        secrets = SecretReader(credentialsFolder: credentialsFolder)
        self.limit = limit
    }

    /// Connects to the sink's servers and authenticates; returns the first problem, or nil on success.
    ///
    /// This method sends no HTTP request, and does nothing for a sink that needs no connection.
    package func connect(_ sink: SinkConfiguration) async -> SinkTrouble? {
        do {
            for server in sink.settings.servers {
                if let trouble = try await connect(to: server) { return trouble }
            }
            return nil
        } catch let trouble as SinkTrouble {
            return trouble
        } catch let error as TLSOptionsError {
            let tls = sink.settings.tls
            let file =
                switch error {
                case .authorities: tls.authorityFile
                case .clientCertificate: tls.certificateFile
                case .clientKey, .refused: tls.keyFile
                }
            let place = file.map { "\($0.description.quoted(upTo: .max)): " } ?? ""
            return SinkTrouble("\(place)\(error)", .content)
        } catch {
            return SinkTrouble("\(error)", .content)
        }
    }

    private func connect(to server: SinkServer) async throws -> SinkTrouble? {
        let outlet = try outlet(of: server.sink)
        let trouble = try await give([], to: outlet)
        if trouble == nil, outlet.waitsForConnection { return nil }
        // Probe the connection, because an outlet describes connection errors less precisely.
        let origin = try Address(server.url).origin
        let tls = try server.sink.settings.tlsOptions(secrets)
        guard let error = await (try ConnectionProbe(tls: tls)).run(to: origin, within: limit).error
        else {
            // A message about an outlet's silence lacks the server's name, so add it.
            guard let trouble, trouble.description.hasPrefix("it ") else { return trouble }
            return SinkTrouble("\(server.description): \(trouble)", trouble.cause)
        }
        return SinkTrouble("\(server.description): \(error)", .connection(error))
    }

    private func outlet(of sink: SinkConfiguration) throws -> any DurableOutlet {
        try sink.settings.besideTheDaemon(register).outlet(
            SinkContext(name: "doctor", register: register, secrets: secrets))
    }

    /// Sends a test event to a sink; returns the problem, or nil if the sink accepts the event.
    package func send(_ sink: SinkConfiguration) async -> String? {
        do {
            return try await give([JournalEntry(testEvent)], to: try outlet(of: sink))?.description
        } catch {
            return "\(error)"
        }
    }

    private var testEvent: Event {
        Event(
            id: UUID().uuidString.lowercased(), source: "/keywedge/\(register)", type: .test,
            time: SystemClock.now, sequence: 0,
            data: ["message": "A test of keywedge doctor: nothing was scanned."])
    }

    /// Passes events to an outlet; returns the first problem, or nil if the outlet accepts the events.
    private func give(
        _ entries: [JournalEntry], to outlet: any DurableOutlet
    ) async throws -> SinkTrouble? {
        let (results, result) = AsyncStream<String?>.makeStream()
        let silence = "it has not answered for \(limit.text)"
        let reporter = SinkStatusReporter { notice in
            if case .trouble(let text) = notice { result.yield(text) }
        }
        try outlet.begin(reporter)
        let trouble = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let outcome = await outlet.take(entries) { _, verdict in
                    guard case .refused(let reason) = verdict else { return }
                    result.yield("it refuses the event: \(reason)")
                }
                switch outcome {
                case .all: result.yield(nil)
                case .later(let reason, after: _), .held(let reason): result.yield(reason)
                case .cancelled: result.yield(silence)
                }
            }
            group.addTask { [limit] in
                try? await Task.sleep(for: limit)
                result.yield(silence)
            }
            defer { group.cancelAll() }
            for await trouble in results { return trouble }
            return silence
        }
        await outlet.end()
        return trouble.map {
            SinkTrouble($0, outlet.isRefusedForCredentials ? .credentials : .refusal)
        }
    }
}
