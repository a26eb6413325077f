import ArgumentParser
import CLinux
import KeywedgeConfiguration
import WireText

/// The arguments of the process, as strings that show which arguments are not UTF-8.
///
/// Bytes that are not UTF-8 become U+FFFD, which would silently change a code. An argument with such bytes is marked
/// with U+0000 at its end, because no argument can contain this character.
enum CommandLineTexts {
    static var ofTheProcess: [String] {
        (1..<max(1, clinux_argument_count())).compactMap { clinux_argument($0) }.map {
            String(validatingCString: $0) ?? String(cString: $0) + "\0"
        }
    }

    static func isUTF8(_ text: String) -> Bool { text.utf8.last != 0 }

    /// Parses the command line; only codes may contain bytes that are not UTF-8.
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

    /// Returns an error about an unknown subcommand or a misplaced option; otherwise nil.
    private static func commandError(_ texts: [String]) -> WrongCommand? {
        var command: any ParsableCommand.Type = Keywedge.self
        var path = "keywedge"
        let words = texts.prefix { !$0.hasPrefix("-") }
        for word in words.first == "help" ? words.dropFirst() : words {
            let known = command.configuration.subcommands
            guard !known.isEmpty, isUTF8(word) else { return nil }
            guard let next = known.first(where: { $0._commandName == word }) else {
                let names = known.map { $0._commandName }
                // The user may have left out the first part of a command, such as `catalog` before `import`.
                let family = known.first { family in
                    family.configuration.subcommands.contains { $0._commandName == word }
                }
                let near =
                    NearestName.nearest(to: word, in: names, limit: nil)
                    ?? family.map { "\($0._commandName) \(word)" }
                let advice =
                    near.map { "Did you mean \(path) \($0)?" }
                    ?? "Expected one of: \(names.joined(separator: ", "))."
                return WrongCommand("There is no command \(word.quoted()). \(advice)", path)
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
}

struct WrongCommand: Error, CustomStringConvertible {
    let description: String

    /// Creates an error that refers to the help of the command with the full name `path`.
    init(_ sentence: String, _ path: String) {
        description = "\(sentence)\nSee '\(path) --help' for more information."
    }
}

protocol TakesCodes {
    var input: CodeInput { get }
}
