import WireText

/// Recognition of a recording's format from its first lines.
enum FormatRecogniser {
    static let reach = 64 * 1024

    /// Recognises the format of a recording from its first bytes; the error says why they are not a recording.
    ///
    /// The caller must remove a byte order mark first. If `isWhole` is true, a last line without a line ending counts
    /// as complete. If the returned `isCertain` is true, more bytes cannot change the result.
    static func verdict(
        on bytes: UnsafeRawBufferPointer, isWhole: Bool, name: String
    ) -> (format: Result<RecordingFormat, RecordingError>, isCertain: Bool) {
        var likely: RecordingFormat?
        var error = RecordingError.empty(name: name)
        // Whether all lines so far were blank or comments.
        var isFirst = true
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, slice) in (isWhole ? lines[...] : lines.dropLast()).enumerated() {
            let line = UnsafeRawBufferPointer(
                rebasing: slice.last == 0x0D ? slice.dropLast() : slice)
            switch heading(line, isFirst: isFirst) {
            case (.certain, let format): return (.success(format), true)
            case (.likely, let format): likely = likely ?? format
            case (.none, _): break
            }
            if isFirst {
                var cursor = LineCursor(line)
                cursor.skipQuoting()
                if cursor.byte == UInt8(ascii: "#") {
                    error = .commentsAlone(name: name)
                } else if !cursor.isAtEnd {
                    error = .unrecognised(name: name, line: index + 1, found: Phrase(startOf: line))
                    isFirst = false
                }
            }
        }
        return (likely.map { .success($0) } ?? .failure(error), false)
    }

    /// Whether a line contains a complete event in any format.
    static func holdsEvent(_ line: Line) -> Bool {
        RecordingFormat.allCases.contains { $0.parser.holdsEvent(LineCursor(line.bytes)) }
    }

    private static func heading(
        _ line: UnsafeRawBufferPointer, isFirst: Bool
    ) -> (Certainty, RecordingFormat) {
        var cursor = LineCursor(line)
        for format in RecordingFormat.allCases where format.parser.holdsEvent(cursor) {
            return (.certain, format)
        }
        cursor.skipQuoting()
        var best = (Certainty.none, RecordingFormat.keys)
        for format in RecordingFormat.allCases {
            let certainty = format.parser.heading(cursor, isFirst: isFirst)
            if certainty == .certain { return (certainty, format) }
            if certainty == .likely, best.0 == .none { best = (certainty, format) }
        }
        return best
    }
}
