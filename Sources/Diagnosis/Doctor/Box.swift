package import EventService
import HTTPCatalog
package import KeywedgeConfiguration
package import ScannerInput
package import Sinks
import WireText

/// A function that runs a command and returns its standard output; nil if the command fails.
package typealias Programs = @Sendable ([String]) async -> String?

/// Everything that `doctor` checks on this computer: configuration, devices, daemon, units and files.
package struct Box: Sendable {
    package enum Answer: Sendable {
        case answers(DaemonStatus)
        case fails(String)
        /// This user lacks permission to connect to the daemon; the string is the error message.
        case forbidden(String)
    }

    /// The path of the configuration file; nil if it does not exist, so the defaults apply.
    package var path: String?
    /// The file to which a remedy adds settings; it need not exist yet.
    package let file: String
    package var configuration = Configuration.standard
    /// The error in the configuration file, if there is one; ``configuration`` then contains the defaults.
    package var error: ConfigurationError?
    package var configuredScanners: [String] = []
    /// The input devices, and whether the daemon would claim each one.
    package var devices: [SurveyedDevice] = []
    /// The daemon's answer to a request for its status; nil if the configuration has no `listen` section.
    package var answer: Answer?
    /// The daemon's unit; nil if systemd is not available, for instance in a container.
    package var unit: UnitState?
    package var socketUnit: UnitState?
    package var user: BoxUser?
    /// The folder with the credentials from systemd; nil if systemd passes no credentials.
    package var credentialsFolder: String?
    package var version = ""
    package var isRoot = false
    /// The current time, in seconds since 1970.
    package var now: Int64 = 0

    /// The maximum time since the catalog was last written; if it is exceeded, the catalog check warns.
    package var oldestCatalog = Duration.seconds(30 * 86_400)
    package var sendsTestEvent = false
    /// Connects to a sink without disturbing the daemon; returns the problem, or nil on success.
    package var connect: @Sendable (SinkConfiguration) async -> SinkTrouble? = { _ in nil }
    /// Sends a test event to a sink; returns nil if the sink accepts it, or else the problem.
    package var sendTest: @Sendable (SinkConfiguration) async -> String? = { _ in nil }
    /// A function that creates a check for an HTTP catalog; it returns nil if no requests may be sent to catalogs.
    package var endpoints: @Sendable (HTTPCatalogConfiguration) -> EndpointCheck? = { _ in nil }
    /// Briefly claims a device node; returns false if another process has claimed it.
    package var grab: @Sendable (String) -> Bool = { _ in true }

    var files = BoxFiles()
    var programs: Programs = Box.output

    package init(file: String) { self.file = file }

    /// Runs a program, and returns its standard output; nil if it fails or takes longer than 10 seconds.
    @Sendable package static func output(of words: [String]) async -> String? {
        let run = try? await RunningCommand.run(words, readsErrors: false, limit: .seconds(10))
        guard let run, run.ending == .exited(0) else { return nil }
        return String(decoding: run.output, as: UTF8.self)
    }

    package var status: DaemonStatus? {
        if case .answers(let status)? = answer { status } else { nil }
    }

    package var isRunning: Bool { unit?.isRunning ?? (status != nil) }

    /// Whether this process runs as the daemon's user, and so has the same access to files.
    var isDaemonsUser: Bool { user?.isThisProcess == true }

    /// Whether `doctor` would see more if run as root.
    package var hidesFromUser: Bool { !isRoot && (unit != nil || !isDaemonsUser) }

    /// Returns the settings that apply to a scanner, by name or else for all; nil if neither exist.
    func configured(_ name: String) -> ScannerConfiguration? {
        configuration.scanners.first { $0.name == name }
            ?? configuration.scanners.first { $0.match.isEmpty }
    }

    var heldScanners: Set<String>? {
        status.map { Set($0.scanners.filter { $0.heldSince != nil }.map(\.name)) }
    }
}
