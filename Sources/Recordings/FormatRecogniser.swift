import WireText

/// Finds out a recording's format from the lines of its beginning.
///
/// The first line decides that only one format can have, wherever it stands: an event, or a heading
/// of its own. Where there is none, a line that several might have decides.
enum FormatRecogniser {
    /// The number of bytes looked at, at most.
    static let reach = 64 * 1024

    /// What the lines so far say.
    enum Verdict: Equatable {
        case format(RecordingFormat)
        /// It is this format, unless a later line shows another.
        case likely(RecordingFormat)
        /// Nothing but blank lines so far.
        case blank
        /// Nothing but comments so far, and perhaps blank lines.
        case comments
        /// Text of no known format so far; the first such line, 1-based, and its excerpt.
        case foreign(line: Int, found: Phrase)
    }

    /// The formats' parsers, in the order in which they are asked.
    private static let parsers: [(format: RecordingFormat, type: any LineParser.Type)] = [
        (.evemu, EvemuParser.self), (.libinput, LibinputParser.self),
        (.pythonEvdev, PythonEvdevParser.self), (.getevent, GeteventParser.self),
        (.evtest, EvtestParser.self), (.keys, KeysParser.self),
    ]

    /// Looks at the beginning of a recording.
    ///
    /// - Parameters:
    ///   - bytes: The beginning, without a byte order mark.
    ///   - isWhole: Whether a last line without line end is complete.
    /// - Returns: What the lines say.
    static func verdict(on bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Verdict {
        var verdict = Verdict.blank
        var likely: RecordingFormat?
        var number = 0
        var start = 0
        while start < bytes.count {
            let lineEnd = bytes[start...].firstIndex(of: 0x0A)
            guard isWhole || lineEnd != nil else { break }
            let line = withoutReturn(
                UnsafeRawBufferPointer(rebasing: bytes[start..<(lineEnd ?? bytes.count)]))
            number += 1
            let saysNothing = verdict == .blank || verdict == .comments
            switch heading(line, isFirst: saysNothing) {
            case (.certain, let format): return .format(format)
            case (.likely, let format): likely = likely ?? format
            case (.none, _): break
            }
            if saysNothing {
                switch firstByte(of: line) {
                case nil: break
                case UInt8(ascii: "#"): verdict = .comments
                default: verdict = .foreign(line: number, found: Excerpt.start(of: line))
                }
            }
            start = (lineEnd ?? bytes.count) + 1
        }
        return likely.map { .likely($0) } ?? verdict
    }

    /// Whether a line holds a whole event of some format.
    ///
    /// A parser asks this of a line that is none of its own: two recordings were mixed.
    static func holdsEvent(_ line: Line) -> Bool {
        parsers.contains { $0.type.holdsEvent(LineCursor(line.bytes)) }
    }

    private static func heading(
        _ line: UnsafeRawBufferPointer, isFirst: Bool
    ) -> (Certainty, RecordingFormat) {
        for (format, type) in parsers where type.holdsEvent(LineCursor(line)) {
            return (.certain, format)
        }
        var cursor = LineCursor(line)
        cursor.skipQuoting()
        var best = (Certainty.none, RecordingFormat.keys)
        for (format, type) in parsers {
            let certainty = type.heading(cursor, isFirst: isFirst)
            if certainty == .certain { return (certainty, format) }
            if certainty == .likely, best.0 == .none { best = (certainty, format) }
        }
        return best
    }

    /// The first byte behind blanks and the marks of quoting; nil for a blank line.
    private static func firstByte(of line: UnsafeRawBufferPointer) -> UInt8? {
        var cursor = LineCursor(line)
        cursor.skipQuoting()
        return cursor.isAtEnd ? nil : cursor.byte
    }

    private static func withoutReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    }
}
