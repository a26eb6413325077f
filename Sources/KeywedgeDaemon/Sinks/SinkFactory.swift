package import Events
import HTTPCatalog
package import KeywedgeConfiguration
package import Logging
import ScannerInput
package import Sinks
import WebAPI
import WireText

/// Makes the sinks of a configuration.
package struct SinkFactory: Sendable {
    /// The most bytes of a web server's answer that are read; they are ignored.
    private static let longestAnswer = 65_536

    private let configuration: Configuration
    private let register: String
    private let secrets: SecretReader
    private let conditions: SinkConditions
    private let log: Logger

    /// Sinks find the service manager's credentials in the folder, and report how they are doing to
    /// `conditions` and `log`.
    package init(
        _ configuration: Configuration, register: String, credentialsFolder: String?,
        conditions: SinkConditions, log: Logger
    ) {
        self.configuration = configuration
        self.register = register
        self.conditions = conditions
        self.log = log
        secrets = SecretReader(credentialsFolder: credentialsFolder)
    }

    /// Plugs in the keyboards that scans are typed on: sinks that get events at once.
    ///
    /// - Throws: ``SinkOpeningError``.
    package func keyboards() throws -> [any EventSink] {
        try configuration.events.compactMap { sink in
            guard case .keyboard(let keyboard) = sink else { return nil }
            let reporter = SinkStatusReporter("keyboard", conditions, log: log)
            do throws(SystemCallError) {
                return try KeyboardSink(
                    keyboard.typing, pace: keyboard.pace, filter: keyboard.filter,
                    reporter: reporter)
            } catch {
                throw SinkOpeningError(sink: "keyboard", reason: "\(error)")
            }
        }
    }

    /// Makes the durable sinks, in order; nothing is connected yet.
    ///
    /// A sink that already runs with the same settings is returned as it is.
    ///
    /// - Throws: ``SinkOpeningError``.
    package func durableSinks(besides running: [DurableSink] = []) throws -> [DurableSink] {
        try configuration.events.compactMap { sink in
            guard let name = sink.durableName, let durable = sink.durable else { return nil }
            let settings = DurableSink.Settings(sink, scanners: configuration.scanners)
            if let same = running.first(where: { $0.name == name && $0.settings == settings }) {
                return same
            }
            guard let outlet = try outlet(of: sink, name: name) else { return nil }
            let reporter = SinkStatusReporter(name, conditions, log: log)
            return DurableSink(name: name, settings: settings, reporter: reporter) { journal in
                SinkRunner(
                    name: name, outlet: outlet, journal: journal, start: durable.start,
                    filter: durable.filter, catchUp: durable.catchUp, reporter: reporter,
                    clock: EventLoopClock(), now: { SystemClock().now })
            }
        }
    }

    /// Makes the outlet of a durable sink; nil for a sink that gets events at once.
    ///
    /// - Throws: ``SinkOpeningError``.
    func outlet(
        of sink: SinkConfiguration, name: String
    ) throws -> (any DurableOutlet)? {
        do {
            switch sink {
            case .stdout, .keyboard: return nil
            case .mqtt(let mqtt): return try outlet(of: mqtt, name: name)
            case .webhook(let webhook): return try outlet(of: webhook)
            case .exec(let exec):
                return ExecOutlet(exec.settings) { [log] in log.info("sink \(name): \($0)") }
            }
        } catch let error as CatalogOpeningError {
            throw SinkOpeningError(sink: name, reason: error.reason)
        } catch {
            throw SinkOpeningError(sink: name, reason: "\(error)")
        }
    }

    private func outlet(of mqtt: MQTTConfiguration, name: String) throws -> MQTTOutlet {
        var settings = mqtt.settings
        settings.clientID = mqtt.clientID ?? "keywedge-\(register)-\(name)"
        var security = MQTTSecurity()
        security.user = mqtt.user.map(reading)
        security.password = mqtt.password.map(reading)
        security.authorityFile = try mqtt.authority.map(secrets.path(of:))
        security.trustsOnlyThese = mqtt.trustsOnlyThese
        security.certificateFile = try mqtt.certificate.map(secrets.path(of:))
        security.keyFile = try mqtt.key.map(secrets.path(of:))
        // A secret that cannot be read now is a mistake; one that changes later is read again.
        _ = try security.user?()
        _ = try security.password?()
        return try MQTTOutlet(
            settings, security: security, register: register,
            scanners: configuration.scanners.map(\.name))
    }

    private func outlet(of webhook: WebhookConfiguration) throws -> WebhookOutlet {
        let read = webhook.secrets.map(reading)
        let secrets: @Sendable () throws -> [WebhookSecret] = {
            try read.map { try WebhookSecret(try $0()) }
        }
        _ = try secrets()
        let limits = TransportLimits(
            connect: webhook.timeout, responseBytes: Self.longestAnswer)
        return WebhookOutlet(
            to: try Location(webhook.url),
            over: try AsyncHTTPClientTransport(tls: try tls(of: webhook), limits: limits),
            secrets: secrets, limit: webhook.timeout)
    }

    /// Reads the files that secure a webhook's connections.
    func tls(of webhook: WebhookConfiguration) throws -> TLSOptions {
        try webhook.tls.options(for: "webhook", secrets)
    }

    /// A function that reads a secret each time it is needed.
    private func reading(_ source: SecretSource) -> @Sendable () throws -> String {
        { [secrets] in try secrets.secret(source) }
    }
}

/// Why a sink cannot be used at all.
package struct SinkOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sink's name.
    package let sink: String
    /// The cause, in words.
    package let reason: String

    /// One sentence for a person.
    package var description: String {
        "The sink \(sink) cannot be used: \(reason.hasSuffix(".") ? reason : reason + ".")"
    }
}

extension SinkStatusReporter {
    /// A reporter that writes into the log, and keeps the latest notices for the status.
    package convenience init(_ name: String, _ conditions: SinkConditions, log: Logger) {
        self.init { notice in
            conditions.note(notice, of: name)
            switch notice {
            case .trouble(let text): log.warning("sink \(name): \(text)")
            case .warning(let text): log.warning("sink \(name): \(text)")
            case .well: log.notice("sink \(name): events go out again")
            }
        }
    }

    /// Reports what happened to standard output.
    package func report(_ notice: OutputSink.Notice) {
        switch notice {
        case .stuck(let count):
            report(
                .trouble(
                    "its reader has read nothing for \(OutputSink.patience.text); "
                        + "\(count.counted("event")) wait"))
        case .flowing: report(SinkStatusReporter.Notice.well)
        case .dropped(let lost):
            report(.warning("its reader was too slow: \(lost) were not written"))
        }
    }
}
