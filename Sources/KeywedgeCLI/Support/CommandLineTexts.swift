import ArgumentParser

/// The arguments the process was started with, as texts.
///
/// Swift's own list puts a replacement character where an argument is no UTF-8, and a code would
/// silently be another one. Here U+0000 stands there, which no argument can have in it.
enum CommandLineTexts {
    private static let standIn: Unicode.Scalar = "\0"

    /// The arguments behind the command's name.
    static var ofTheProcess: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { text(of: $0) }
        }
    }

    /// Whether an argument was UTF-8.
    ///
    /// - Parameter text: The argument, or a part of it.
    /// - Returns: False where something stands in for bytes.
    static func isUTF8(_ text: String) -> Bool {
        !text.unicodeScalars.contains(standIn)
    }

    /// Reads the command line.
    ///
    /// - Returns: The command; the codes of one that takes codes may be no UTF-8, and nothing else.
    /// - Throws: What is wrong with the command line.
    static func command() throws -> any ParsableCommand {
        let texts = ofTheProcess
        let command = Result { try Keywedge.parseAsRoot(texts) }
        let codes = ((try? command.get()) as? any TakesCodes)?.input.codes ?? []
        let undecodable = texts.indices.filter { !isUTF8(texts[$0]) }
        if let first = undecodable.first, undecodable.count > codes.count(where: { !isUTF8($0) }) {
            throw ValidationError("argument \(first + 1): expected UTF-8")
        }
        return try command.get()
    }

    private static func text(of argument: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: argument) { return text }
        let scalars = String(cString: argument).unicodeScalars
        return String(String.UnicodeScalarView(scalars.map { $0 == "\u{FFFD}" ? standIn : $0 }))
    }
}

/// A command that is about codes.
protocol TakesCodes {
    /// The codes.
    var input: CodeInput { get }
}
