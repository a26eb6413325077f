import ArgumentParser
import Diagnosis
import Glibc
import KeyLayouts
import KeywedgeConfiguration
import WireText

struct QuietOption: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print only problems on standard error.")
    var quiet = false

    func say(_ text: String) {
        if !quiet { StandardError.write(text) }
    }
}

struct ConfigurationOption: ParsableArguments {
    static let standardPath = "/etc/keywedge/keywedge.yaml"

    @Option(
        name: [.customShort("c"), .customLong("config")],
        file: "The configuration; by default \(standardPath) if it exists, else the defaults.")
    var path: String?

    @OptionGroup var quiet: QuietOption

    /// Reads the file from `--config` or the standard file; without either, returns the defaults.
    func load() throws -> Configuration {
        try existingPath.map(Configuration.load) ?? .standard
    }

    /// Reads the configuration again, for a reload; throws an error if the file is not a regular file.
    ///
    /// The content of a pipe may never arrive, and the running daemon must not wait for it.
    func loadAgain() throws -> Configuration {
        var status = stat()
        // If `stat` fails, reading fails too, and reports the reason.
        if let path = existingPath, stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(
                "\(path.quoted(upTo: .max)) is not a regular file, and only such a file can be read "
                    + "again. Restart the daemon. Run: systemctl restart keywedge")
        }
        return try load()
    }

    /// Returns the error with its remedy, if there is one.
    func failure(_ error: any Error) -> any Error {
        guard let path, ![Self.standardPath, "/dev/null"].contains(path),
            var remedy = Remedy(for: error)
        else {
            return Failure.unlessCancelled(error)
        }
        remedy.commands = remedy.commands.map {
            $0 == "systemctl start keywedge" ? "keywedge run -c \(path.shellWord)" : $0
        }
        return Failure("\(error)", remedy)
    }

    /// Returns the default `value`, or nil if `--config` names a file other than `/dev/null`.
    func unlessNamed<Value>(_ value: Value) -> Value? {
        path == nil || path == "/dev/null" ? value : nil
    }

    /// The path from `--config`, or else the standard path if a file exists there; otherwise nil.
    var existingPath: String? {
        path ?? (access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil)
    }
}

struct LayoutOption: ParsableArguments {
    @Option(help: "The keyboard layout instead of the configured one, such as de or de:nodeadkeys.")
    var layout: String?

    func applied(to configuration: Configuration) throws -> Configuration {
        guard let layout else { return configuration }
        let compiled: CompiledLayout
        do { compiled = try CompiledLayout(named: layout) } catch {
            throw ValidationError("--layout: \(error)")
        }
        if let notice = compiled.composeNotice { StandardError.write("\(notice)") }
        var configuration = configuration
        for index in configuration.scanners.indices {
            configuration.scanners[index].layout = compiled
        }
        return configuration
    }
}
