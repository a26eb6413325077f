extension LineReader {
    /// Recognises the format of what is coming, and passes over a byte order mark.
    ///
    /// Reads as much as it takes and no more, so that a pipe that is still being written works.
    ///
    /// - Returns: The format.
    /// - Throws: ``RecordingError`` of the source, or that it is empty, binary or foreign.
    mutating func recogniseFormat() throws(RecordingError) -> RecordingFormat {
        var verdict = FormatRecogniser.Verdict.blank
        repeat {
            try fill()
            if let offset = unread.firstIndex(of: 0) { throw .binary(name: name, offset: offset) }
            if unread.starts(with: Self.byteOrderMark) { drop(Self.byteOrderMark.count) }
            let isWhole = isAtEnd || unread.count >= FormatRecogniser.reach
            verdict = FormatRecogniser.verdict(on: unread, isWhole: isWhole)
            if case .format(let format) = verdict { return format }
        } while !isAtEnd && unread.count < FormatRecogniser.reach
        if case .likely(let format) = verdict { return format }
        if case .foreign(let line, let found) = verdict {
            throw .unrecognised(name: name, line: line, found: found)
        }
        throw verdict == .comments ? .commentsAlone(name: name) : .empty(name: name)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
