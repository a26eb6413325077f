import ArgumentParser
import CLinux
import KeywedgeConfiguration
import WireText

/// The arguments of the process, as strings.
///
/// Swift's own list replaces bytes that are not UTF-8 with U+FFFD, which would silently change a code. This list
/// replaces them with U+0000, which no real argument can contain.
enum CommandLineTexts {
    private static let standIn: Unicode.Scalar = "\0"

    static var ofTheProcess: [String] {
        (1..<max(1, clinux_argument_count())).compactMap { index in
            clinux_argument(index).map { text(of: $0) }
        }
    }

    /// Whether an argument was valid UTF-8.
    static func isUTF8(_ text: String) -> Bool {
        !text.unicodeScalars.contains(standIn)
    }

    /// Parses the command line; throws if an argument is not UTF-8.
    ///
    /// Only the codes of a ``TakesCodes`` command may contain other bytes.
    static func command() throws -> any ParsableCommand {
        let texts = ofTheProcess
        if texts == ["-V"] { throw CleanExit.message(Keywedge.configuration.version) }
        if let error = commandError(texts) { throw error }
        let command = Result { try Keywedge.parseAsRoot(texts) }
        let codes = ((try? command.get()) as? any TakesCodes)?.input.codes ?? []
        let undecodable = texts.indices.filter { !isUTF8(texts[$0]) }
        if let first = undecodable.first, undecodable.count > codes.count(where: { !isUTF8($0) }) {
            throw ValidationError("argument \(first + 1): expected UTF-8")
        }
        return try command.get()
    }

    /// Returns an error if a subcommand does not exist, or if an option precedes its subcommand; otherwise nil.
    private static func commandError(_ texts: [String]) -> WrongCommand? {
        var command: any ParsableCommand.Type = Keywedge.self
        var path = "keywedge"
        let words = texts.prefix { !$0.hasPrefix("-") }
        for word in words.first == "help" ? words.dropFirst() : words {
            let known = command.configuration.subcommands
            guard !known.isEmpty, isUTF8(word) else { return nil }
            guard let next = known.first(where: { $0._commandName == word }) else {
                let names = known.map { $0._commandName }
                let below = known.flatMap { command in
                    command.configuration.subcommands.map {
                        "\(command._commandName) \($0._commandName)"
                    }
                }
                let near =
                    NearestName.nearest(to: word, in: names, within: 2)
                    ?? below.first { $0.hasSuffix(" \(word)") }
                let list = names.joined(separator: ", ")
                return WrongCommand(
                    "There is no command \(word.quoted()). "
                        + (near.map { "Did you mean \(path) \($0)?" } ?? "Expected one of: \(list)."),
                    path)
            }
            command = next
            path += " \(word)"
        }
        guard let known = command.configuration.subcommands.first?._commandName,
            let option = texts.first(where: { $0.hasPrefix("-") }),
            option.contains(/^(-[cq]|--(config|quiet|format|json)\b)/)
        else { return nil }
        let example = path == "keywedge" ? "keywedge status" : "\(path) \(known)"
        let value = ["-c": " FILE", "--config": " FILE", "--format": " json"][option] ?? ""
        return WrongCommand(
            "\(option.quoted()) comes after the command, as in: \(example) \(option)\(value).", path
        )
    }

    private static func text(of argument: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: argument) { return text }
        let scalars = String(cString: argument).unicodeScalars
        return String(String.UnicodeScalarView(scalars.map { $0 == "\u{FFFD}" ? standIn : $0 }))
    }
}

/// The command line names no existing command, or has an option before the command's name.
struct WrongCommand: Error, CustomStringConvertible {
    let description: String

    /// Makes an error from a sentence, and refers to the `--help` of the command `path`, such as `keywedge catalog`.
    init(_ sentence: String, _ path: String) {
        description = "\(sentence)\nSee '\(path) --help' for more information."
    }
}

protocol TakesCodes {
    var input: CodeInput { get }
}
