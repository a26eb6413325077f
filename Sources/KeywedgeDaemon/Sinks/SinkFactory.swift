import EvdevInput
package import Events
import HTTPCatalog
import Journal
package import KeywedgeConfiguration
package import Logging
import Sinks
import WebAPI
import WireText

/// Makes the sinks of a configuration.
package struct SinkFactory: Sendable {
    /// The most bytes of an answer that are read from a web server: nothing in it is looked at.
    private static let longestAnswer = 65_536

    private let configuration: Configuration
    private let register: String
    private let secrets: SecretReader
    private let credentialsFolder: String?
    private let conditions: SinkConditions
    private let log: Logger

    /// Makes an opening.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - register: The name of this register.
    ///   - credentialsFolder: The folder with the credentials the service manager hands over.
    ///   - conditions: What they say of themselves, for whoever asks.
    ///   - log: Where sinks say how they are doing.
    package init(
        _ configuration: Configuration, register: String, credentialsFolder: String?,
        conditions: SinkConditions, log: Logger
    ) {
        self.configuration = configuration
        self.register = register
        self.credentialsFolder = credentialsFolder
        self.conditions = conditions
        self.log = log
        secrets = SecretReader(credentialsFolder: credentialsFolder)
    }

    /// Plugs in the keyboards that scans are typed on.
    ///
    /// - Returns: Sinks that get events at once.
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

    /// Makes the durable sinks; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - journal: Where their events come from.
    ///   - running: Those that run already: of the same settings, they run on.
    /// - Returns: All of them, in order.
    /// - Throws: ``SinkOpeningError``.
    func durableSinks(
        reading journal: EventJournal, besides running: [DurableSink] = []
    ) throws -> [DurableSink] {
        try configuration.events.compactMap { sink in
            guard let name = sink.durableName, let durable = sink.durable else { return nil }
            let settings = DurableSink.Settings(sink, scanners: configuration.scanners)
            if let same = running.first(where: { $0.name == name && $0.settings == settings }) {
                return same
            }
            guard let outlet = try outlet(of: sink, name: name) else { return nil }
            let runner = SinkRunner(
                name: name, outlet: outlet, journal: journal, start: durable.start,
                filter: durable.filter, catchUp: durable.catchUp,
                reporter: SinkStatusReporter(name, conditions, log: log),
                clock: EventLoopClock(),
                now: { SystemClock().now })
            return DurableSink(name: name, settings: settings, runner: runner)
        }
    }

    /// Makes a durable sink's way out; nil for a sink that gets events at once.
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
        security.authorityFile = try mqtt.authority.map(path)
        security.trustsOnlyThese = mqtt.trustsOnlyThese
        security.certificateFile = try mqtt.certificate.map(path)
        security.keyFile = try mqtt.key.map(path)
        // What cannot be read now cannot be meant; a secret that is changed later is read then.
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
            over: try AsyncHTTPClientTransport(
                tls: try webhook.tls.options(for: "webhook"), limits: limits),
            secrets: secrets, limit: webhook.timeout)
    }

    /// What reads a secret each time it is needed.
    private func reading(_ source: SecretSource) -> @Sendable () throws -> String {
        { [secrets] in try secrets.secret(source) }
    }

    /// The file of a secret that a library reads by itself.
    private func path(of source: SecretSource) throws -> String {
        switch source {
        case .plain(let path), .file(let path): return path
        case .credential(let name):
            guard let credentialsFolder else { throw SecretError.noCredentials(name: name) }
            return credentialsFolder + "/" + name
        }
    }
}

/// Why a sink cannot be used at all.
package struct SinkOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sink's name.
    package let sink: String
    /// What is wrong, in words.
    package let reason: String

    /// One sentence for a person.
    package var description: String {
        "The sink \(sink) cannot be used: \(reason.hasSuffix(".") ? reason : reason + ".")"
    }
}
