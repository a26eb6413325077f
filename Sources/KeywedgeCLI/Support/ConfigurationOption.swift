import ArgumentParser
import Glibc
import KeywedgeConfiguration

/// The option `--config`.
struct ConfigurationOption: ParsableArguments {
    /// Where the configuration of an installed daemon lies.
    static let standardPath = "/etc/keywedge/keywedge.yaml"

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "The configuration; else \(standardPath) where it exists, else the defaults.",
            valueName: "file"))
    var path: String?

    /// Reads the configuration, or takes the defaults.
    func load() throws -> Configuration {
        guard let path = path ?? existingStandardPath else { return .standard }
        do {
            return try Configuration.load(path: path)
        } catch {
            throw Failure(error)
        }
    }

    /// The configuration of an installed daemon; nil where there is none.
    var existingStandardPath: String? {
        access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil
    }
}
