/// Finds out a recording's format from its first lines.
///
/// evemu, libinput and `.keys` must show themselves on the first line that is no comment. evtest's
/// output may be surrounded by prose, so for it every line of the beginning counts.
enum FormatRecogniser {
    /// The number of bytes looked at, at most.
    static let reach = 64 * 1024

    /// What the lines so far say.
    enum Verdict: Equatable {
        /// It is this format.
        case format(RecordingFormat)
        /// Nothing but blank lines and comments so far.
        case blank
        /// Text of no known format so far; the first such line, 1-based, and its excerpt.
        case foreign(line: Int, found: String)
    }

    /// Looks at the beginning of a recording.
    ///
    /// - Parameters:
    ///   - bytes: The beginning, without a byte order mark.
    ///   - isWhole: Whether a last line without line end is complete.
    /// - Returns: What the lines say.
    static func verdict(on bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Verdict {
        var verdict = Verdict.blank
        var number = 0
        var start = 0
        while start < bytes.count {
            let lineEnd = bytes[start...].firstIndex(of: 0x0A)
            guard isWhole || lineEnd != nil else { break }
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<(lineEnd ?? bytes.count)])
            number += 1
            if let format = format(of: line, isFirst: verdict == .blank) { return .format(format) }
            if verdict == .blank, !isBlank(line) {
                verdict = .foreign(line: number, found: Excerpt.quoted(withoutReturn(line)))
            }
            start += line.count + 1
        }
        return verdict
    }

    private static func format(of line: UnsafeRawBufferPointer, isFirst: Bool) -> RecordingFormat? {
        var cursor = LineCursor(line)
        cursor.skipQuoting()
        if cursor.byte == UInt8(ascii: "#") { return isFirst ? formatOfComment(cursor) : nil }
        var search = cursor
        if search.skip(through: "Event: time ") { return .evtest }
        if starts(cursor, with: evtestStarts) { return .evtest }
        guard isFirst else { return nil }
        if isEvemu(line) { return .evemu }
        if starts(LineCursor(line), with: libinputStarts) { return .libinput }
        return isKeys(line) ? .keys : nil
    }

    private static func formatOfComment(_ cursor: LineCursor) -> RecordingFormat? {
        if starts(cursor, with: ["# EVEMU "]) { return .evemu }
        return starts(cursor, with: ["# libinput record"]) ? .libinput : nil
    }

    private static let evtestStarts: [StaticString] = [
        "Input driver version is", "Input device ID:", "Input device name:", "Testing ...",
        "No device specified, trying to scan", "Available devices:",
    ]

    private static let libinputStarts: [StaticString] = [
        "version:", "ndevices:", "libinput:", "system:", "devices:", "---",
    ]

    private static let commands: [StaticString] = [
        "type", "key", "down", "up", "repeat", "wait", "pace", "dropped", "device",
    ]

    private static func starts(_ cursor: LineCursor, with literals: [StaticString]) -> Bool {
        literals.contains { literal in
            var cursor = cursor
            return cursor.skip(literal)
        }
    }

    /// Looks at the first field too, because udev's listings have the same letters.
    private static func isEvemu(_ line: UnsafeRawBufferPointer) -> Bool {
        var cursor = LineCursor(line)
        if cursor.skip("N: ") { return true }
        guard let letter = cursor.byte, "EIPBALS".utf8.contains(letter), cursor.skip(letter),
            cursor.skip(":"), cursor.skipBlanks()
        else { return false }
        if letter == UInt8(ascii: "E") { return cursor.decimal() != nil }
        return cursor.hexadecimal(longest: 4) != nil && cursor.skipBlanks()
    }

    private static func isKeys(_ line: UnsafeRawBufferPointer) -> Bool {
        commands.contains { command in
            var cursor = LineCursor(withoutReturn(line))
            cursor.skipBlanks()
            return cursor.skip(command) && (cursor.skipBlanks() || cursor.isAtEnd)
        }
    }

    private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        var cursor = LineCursor(withoutReturn(line))
        cursor.skipQuoting()
        return cursor.isAtEnd || cursor.byte == UInt8(ascii: "#")
    }

    private static func withoutReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    }
}
