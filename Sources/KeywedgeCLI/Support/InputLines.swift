import Events
import WireText

/// The arguments of a command, or the lines of standard input where there is none.
enum InputLines {
    /// Calls `body` with each.
    static func forEach(
        of arguments: [String], _ body: (String) async throws -> Void
    ) async throws {
        for argument in arguments { try await body(argument) }
        guard arguments.isEmpty else { return }
        var lines = DescriptorLines(descriptor: 0, name: "standard input")
        var number = 0
        while let line = try orFail({ try lines.next() }) {
            number += 1
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Failure("standard input:\(number): expected UTF-8")
            }
            if !text.isEmpty { try await body(text) }
        }
    }

    /// The text that a line with backslashes means.
    static func unescaped(_ line: String) throws -> String {
        if let text = Escaping.unescapedLine(line) { return text }
        throw Failure(
            "cannot read \"\(Escaping.line.escaped(line))\": expected a backslash to be followed "
                + "by \\, t, n, r, xHH, uHHHH or UHHHHHHHH")
    }
}
