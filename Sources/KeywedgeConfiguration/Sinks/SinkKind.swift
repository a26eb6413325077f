package import Events
package import HTTPCatalog
package import Sinks
package import WebAPI
package import WireText
import Yams

/// The settings of one kind of sink, and everything that the daemon and `doctor` need to know about the kind.
///
/// A new kind conforms to this protocol and gets a line in ``SinkConfiguration/kinds``.
package protocol SinkKind: Equatable, Sendable {
    /// The key of this kind in the configuration file; also the default name of such a sink.
    static var kind: String { get }
    /// The program and systemd unit of a local server for the sink; nil if none is known.
    static var localService: (program: String, unit: String)? { get }

    /// The settings for reading the journal with a cursor; nil if the sink has no cursor.
    var journalSettings: DurableSinkConfiguration? { get }
    var readsJournal: Bool { get }
    /// Whether the sink sends the scanners' names; if so, it must restart when these names change.
    var namesScanners: Bool { get }
    /// The resources that the sink needs on this computer, such as a program or files with secrets.
    var needs: [SinkNeed] { get }
    var servers: [SinkServer] { get }
    var tls: TLSConfiguration { get }
    /// The message that `doctor` prints after a successful trial, such as `its command exists`.
    var connected: String { get }
    /// Returns a copy of the sink for a trial that does not disturb the running daemon's own sink.
    func besideTheDaemon(_ register: String) -> Self
    /// Returns a message if the sink cannot tell scanners with these names apart; nil if it can.
    func objection(to scanners: [String]) -> (expected: String, found: Phrase)?
    /// Makes the outlet of a sink that reads the journal; the outlet is not connected yet.
    ///
    /// - Throws: An error if the outlet cannot work now, for example because a secret cannot be read.
    func outlet(_ context: SinkContext) throws -> any DurableOutlet
    /// Makes a sink that does not read the journal; nil for other sinks, and for stdout, which `keywedge run` makes.
    func immediateSink(_ reporter: SinkStatusReporter) throws -> (any EventSink)?
}

extension SinkKind {
    package static var localService: (program: String, unit: String)? { nil }
    package var journalSettings: DurableSinkConfiguration? { nil }
    package var readsJournal: Bool { journalSettings != nil }
    package var namesScanners: Bool { false }
    package var needs: [SinkNeed] { [] }
    package var servers: [SinkServer] { [] }
    package var tls: TLSConfiguration { TLSConfiguration() }
    package func besideTheDaemon(_ register: String) -> Self { self }
    package func objection(to scanners: [String]) -> (expected: String, found: Phrase)? { nil }
    package func outlet(_ context: SinkContext) throws -> any DurableOutlet {
        throw SinkTrouble("\(Self.kind) reads no journal", .content)
    }
    package func immediateSink(_ reporter: SinkStatusReporter) throws -> (any EventSink)? { nil }

    package func tlsOptions(_ secrets: SecretReader) throws(SinkTrouble) -> TLSOptions {
        do throws(CatalogOpeningError) {
            return try tls.options(for: Self.kind, secrets)
        } catch {
            throw SinkTrouble(error.reason, .content)
        }
    }

    fileprivate func equals(_ other: any SinkKind) -> Bool { other as? Self == self }
}

package enum SinkNeed: Sendable {
    case secret(SecretSource)
    case program(String)
    /// Access to `/dev/uinput`, the kernel's device node for virtual keyboards.
    case virtualKeyboard
}

package struct SinkServer: Sendable {
    package let description: String
    package let host: String
    /// The server's URL for a trial connection; its scheme is `http` or `https`, even for an MQTT broker.
    package let url: String
    /// A copy of the sink's settings in which this server is the only one, even if the sink has several.
    package let sink: SinkConfiguration
}

/// The values that a durable sink needs besides its settings.
package struct SinkContext: Sendable {
    let name: String
    let register: String
    let scanners: [String]
    let version: String
    let secrets: SecretReader
    /// The file in which the sink keeps its state across restarts; nil to keep no state.
    let memory: String?
    let log: @Sendable (String) -> Void

    package init(
        name: String, register: String, scanners: [String] = [], version: String = "",
        secrets: SecretReader, memory: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.name = name
        self.register = register
        self.scanners = scanners
        self.version = version
        self.secrets = secrets
        self.memory = memory
        self.log = log
    }
}

/// The settings of a sink of any kind.
package struct SinkConfiguration: Equatable, Sendable {
    package let settings: any SinkKind

    package init(_ settings: some SinkKind) { self.settings = settings }

    package static func == (one: Self, other: Self) -> Bool { one.settings.equals(other.settings) }

    package var name: String { settings.journalSettings?.name ?? type(of: settings).kind }

    /// The name of a sink with a cursor in the journal; nil for other sinks.
    package var durableName: String? { settings.journalSettings.map { _ in name } }

    fileprivate static let section = Section("sink", SinkConfiguration?.none) {
        Setting(oneOf: .one) { kinds }
    }

    /// The kinds of sinks, in the order in which messages list them.
    private static let kinds: [Setting<Self?>] = [
        kind(StandardOutputConfiguration.section, "Standard output."),
        kind(MQTTConfiguration.section, "An MQTT broker."),
        kind(WebhookConfiguration.section, "A web server, by Standard Webhooks."),
        kind(ExecConfiguration.section, "A command."),
        kind(KeyboardConfiguration.section, "A virtual keyboard, which types the scans."),
    ]

    private static func kind<Settings: SinkKind>(
        _ section: Section<Settings>, _ about: String
    ) -> Setting<Self?> {
        let codec = section.codec.map({ Self($0) }, { $0.settings as? Settings })
        return Setting(Settings.kind, \.self, codec, about)
    }

    /// The kinds of sink that a configuration may contain only once.
    fileprivate static let immediateKinds = [
        StandardOutputConfiguration.kind, KeyboardConfiguration.kind,
    ]
}

extension Codec<[SinkConfiguration]> {
    static let sinks = list(
        "a list such as [{stdout: {format: json}}]",
        of: SinkConfiguration.section.codec.map({ $0 }, { $0 }),
        nonEmpty: "at least one sink such as {stdout: {format: json}}"
    ) { _, sinks in
        // Sinks with the same name would share a cursor.
        reportRepeats(in: sinks, by: \.name) { item, name, first in
            let isDurable = !SinkConfiguration.immediateKinds.contains(name)
            item.report(
                expected: isDurable ? "a name that no other sink has" : "\(name) once",
                found: "\(quoted: name), as on line \(first.tree.line)")
        }
    }.adding([
        "allOf": .array(
            SinkConfiguration.immediateKinds.map { kind in
                .object([
                    "contains": ["required": [.string(kind)]], "minContains": 0, "maxContains": 1,
                ])
            })
    ])
}
