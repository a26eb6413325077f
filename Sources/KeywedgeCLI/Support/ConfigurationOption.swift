import ArgumentParser
import Glibc
import KeywedgeConfiguration
import WireText

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

    /// Reads the configuration once more, for a program that must not wait: of a file alone, because what
    /// somebody writes into a pipe may never come.
    func loadAgain() throws -> Configuration {
        if let path = path ?? existingStandardPath {
            var status = stat()
            // What keeps it from being looked at keeps it from being read, too, which says so.
            if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw Failure(
                    "\(path.quoted(upTo: .max)) is no file, which alone can be read again")
            }
        }
        return try load()
    }

    /// The configuration of an installed daemon; nil where there is none.
    var existingStandardPath: String? {
        access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil
    }
}
