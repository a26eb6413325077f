package import EventService
import HTTPCatalog
package import KeywedgeConfiguration
package import ScannerInput
package import Sinks
import WireText

/// The output of a program, given its name and arguments; nil if it fails.
package typealias Programs = @Sendable ([String]) async -> String?

/// The state of the box, read once, for the checks to examine.
package struct Box: Sendable {
    /// The daemon's answer to a request for its status.
    package enum Answer: Sendable {
        case answers(DaemonStatus)
        case fails(String)
        /// This user lacks permission to connect to the daemon.
        case forbidden(String)
    }

    /// The path of the configuration; nil if there is no file.
    package var path: String?
    package var configuration: Configuration
    /// The mistake in the configuration, whose settings are then the defaults; nil without a mistake.
    package var error: ConfigurationError?
    /// The path of the configuration that remedies write settings to.
    package var file: String
    /// Whether commands find that file without `--config`.
    package var isStandardFile = false
    package var configuredScanners: [String] = []
    /// The devices as the configuration's rules judge them.
    package var devices: [SurveyedDevice] = []
    /// The daemon's answer; nil if the configuration names no socket to ask it at.
    package var answer: Answer?
    /// The state of the daemon's unit; nil if the box does not run systemd.
    package var unit: UnitState?
    package var socketUnit: UnitState?
    /// The user that the daemon runs as; nil if there is no such user.
    package var user: BoxUser?
    /// The folder with the credentials that systemd gave the daemon.
    package var credentialsFolder: String?
    package var version = ""
    /// Whether this user sees everything, such as the processes of all users.
    package var isRoot = false
    /// The time in seconds since 1970.
    package var now: Int64 = 0

    /// The age at which a catalog becomes a warning.
    package var oldestCatalog = Duration.seconds(30 * 86_400)
    package var sendsTestEvent = false
    /// Connects to a sink, even while the daemon uses it; returns the trouble if that fails.
    package var connect: @Sendable (SinkConfiguration) async -> SinkTrouble? = { _ in nil }
    /// Sends a sink an event marked as a test; returns the reason if the sink does not accept it.
    package var sendTest: @Sendable (SinkConfiguration) async -> String? = { _ in nil }
    /// Makes the check of a catalog; nil to send it nothing.
    package var endpoints: @Sendable (HTTPCatalogConfiguration) -> EndpointCheck? = { _ in nil }
    /// Claims a node for a moment; returns false if another process has claimed it.
    package var grab: @Sendable (String) -> Bool = { _ in true }

    var files = BoxFiles()
    var programs: Programs = Box.output

    package init(_ configuration: Configuration = .standard, file: String) {
        self.configuration = configuration
        self.file = file
    }

    /// Runs a program of this box, and returns its standard output if it succeeds in time.
    @Sendable package static func output(of words: [String]) async -> String? {
        let run = try? await RunningCommand.run(words, readsErrors: false, limit: .seconds(10))
        guard let run, run.ending == .exited(0) else { return nil }
        return String(decoding: run.output, as: UTF8.self)
    }

    /// The daemon's status; nil if it does not answer.
    package var status: DaemonStatus? {
        if case .answers(let status)? = answer { status } else { nil }
    }

    package var isRunning: Bool { unit?.isRunning ?? (status != nil) }

    /// Whether the box runs systemd; if not, it is a container.
    package var hasUnits: Bool { unit != nil }

    /// Whether root would see more; not in a container, which has no other users.
    package var hidesFromUser: Bool { !isRoot && (hasUnits || user?.isThisProcess != true) }

    var userName: String { unit?.user ?? "keywedge" }

    var silence: String {
        switch answer {
        case nil: "the configuration has no listen, so the daemon cannot be asked"
        case .fails(let reason), .forbidden(let reason): reason
        case .answers: ""
        }
    }

    /// The names of the scanners that the daemon has claimed; nil if it does not answer.
    var heldScanners: Set<String>? {
        guard let status else { return nil }
        return Set(status.scanners.filter { $0.heldSince != nil }.map(\.name))
    }

    /// The network as the daemon's unit restricts it; nil without systemd.
    var network: UnitNetwork? { unit.map { UnitNetwork($0, files: files) } }
}
