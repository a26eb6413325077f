import WireText

/// What a command prints, as lines for the log, and no more of it than is of use.
struct CommandOutput: Equatable, Sendable {
    /// How many bytes of a line are shown.
    static let longestLine = 1024
    /// How many lines of a command are shown.
    static let mostLines = 20

    private var line: [UInt8] = []
    private var isCut = false
    private var lineCount = 0
    private var leftOut = 0

    /// Whether nothing more is shown.
    var isFull: Bool { lineCount >= Self.mostLines }

    /// Takes in what was printed.
    ///
    /// - Returns: The lines to show, escaped.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var shown: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let text = endLine() { shown.append(text) }
            } else if lineCount >= Self.mostLines || line.count == Self.longestLine {
                leftOut += 1
                isCut = true
            } else {
                line.append(byte)
            }
        }
        return shown
    }

    /// The end of what was printed.
    ///
    /// - Returns: The lines to show, escaped: what had no end, and how much was left out.
    mutating func finish() -> [String] {
        var shown = line.isEmpty ? [] : [endLine()].compactMap(\.self)
        if leftOut > 0 { shown.append("… and \(leftOut.counted("byte")) more") }
        return shown
    }

    private mutating func endLine() -> String? {
        defer {
            line = []
            isCut = false
            lineCount += 1
        }
        guard lineCount < Self.mostLines, !line.isEmpty else { return nil }
        return Escaping.line.escaped(String(decoding: line, as: UTF8.self)) + (isCut ? "…" : "")
    }
}
