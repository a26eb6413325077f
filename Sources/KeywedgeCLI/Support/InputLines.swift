import Events
import WireText

/// The arguments of a command, or the lines of standard input where there is none.
enum InputLines {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Calls `body` with each.
    ///
    /// Standard input may begin with a byte order mark, and its lines may end with CR LF; blanks
    /// are part of a line, and a line with nothing in it is passed over.
    static func forEach(
        of arguments: [String], _ body: (String) async throws -> Void
    ) async throws {
        for argument in arguments { try await body(argument) }
        guard arguments.isEmpty else { return }
        var lines = DescriptorLines(descriptor: 0, name: "standard input")
        var number = 0
        while var line = try orFail({ try lines.next() }) {
            number += 1
            if number == 1, line.starts(with: byteOrderMark) {
                line.removeFirst(byteOrderMark.count)
            }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw Failure("standard input:\(number): expected UTF-8")
            }
            if !text.isEmpty { try await body(text) }
        }
    }

    /// The text that a line with backslashes means.
    static func unescaped(_ line: String) throws -> String {
        if let text = Escaping.unescaped(line) { return text }
        throw Failure(
            "cannot read \(line.quoted(upTo: .max)): expected a backslash to begin one of "
                + Escaping.forms)
    }
}
