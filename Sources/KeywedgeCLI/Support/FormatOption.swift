import ArgumentParser
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon

/// The option `--format`.
struct FormatOption: ParsableArguments {
    @Option(
        name: .long,
        help: "json, text, tsv or pretty; without it pretty on a terminal and else json.")
    var format: EventFormat?

    /// The format asked for, or the one that suits standard output.
    var chosen: EventFormat { format ?? (StandardOutput.isTerminal ? .pretty : .json) }

    /// A formatter for standard output, in the format asked for here, else the configured one.
    ///
    /// - Parameter configuration: The configuration.
    /// - Returns: A formatter.
    func formatter(of configuration: Configuration) -> EventFormatter {
        for case .stdout(let format?, _) in configuration.events {
            return formatter(else: EventFormat(rawValue: format.rawValue))
        }
        return formatter(else: nil)
    }

    /// A formatter for standard output.
    ///
    /// - Parameter configured: The format where the command line names none.
    /// - Returns: A formatter.
    func formatter(else configured: EventFormat?) -> EventFormatter {
        EventFormatter(
            format ?? configured ?? chosen, colour: StandardOutput.takesColour,
            width: StandardOutput.width ?? 100)
    }
}

/// What standard output is connected to.
enum StandardOutput {
    /// Whether it is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether colour is welcome: on a terminal, unless `NO_COLOR` says otherwise (no-color.org).
    static var takesColour: Bool {
        isTerminal && !isDumb && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }

    /// Whether the terminal says that it knows no escape sequences.
    private static var isDumb: Bool {
        getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
    }

    /// How many columns the terminal has; nil where it is none.
    static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
