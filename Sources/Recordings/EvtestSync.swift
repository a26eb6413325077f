internal import Keystrokes

/// The lines with which evtest shows `EV_SYN` events, as `-------------- SYN_REPORT ------------`.
enum EvtestSync {
    private static let form = "a synchronisation as \"-------------- SYN_REPORT ------------\""

    /// Reads what follows the time.
    ///
    /// The number of strokes differs between releases, and so does their shape: `-` for most,
    /// `+` for `SYN_MT_REPORT`, `>` and `<` for `SYN_DROPPED`.
    ///
    /// - Parameters:
    ///   - cursor: Stands behind the time and its comma.
    ///   - time: The event's time.
    /// - Returns: An event of type `EV_SYN`.
    /// - Throws: A fault for an unknown name, or where the strokes behind the name are missing.
    static func read(_ cursor: inout LineCursor, at time: Int64) throws(LineFault) -> KeyEvent {
        guard skipStrokes(&cursor), cursor.skipBlanks(), let code = code(&cursor),
            cursor.skipBlanks(), skipStrokes(&cursor), EvtestParser.endsOrRemarks(&cursor)
        else { throw LineFault(expected: form) }
        return KeyEvent(type: EventType.syn, code: code, value: 0, microseconds: time)
    }

    private static func skipStrokes(_ cursor: inout LineCursor) -> Bool {
        var count = 0
        while let byte = cursor.byte, "-+<>".utf8.contains(byte) {
            _ = cursor.skip(byte)
            count += 1
        }
        return count > 0
    }

    /// The newer and the older names.
    private static func code(_ cursor: inout LineCursor) -> UInt16? {
        if cursor.skip("SYN_REPORT") || cursor.skip("Report Sync") || cursor.skip("EV_SYN") {
            return SynCode.report
        }
        if cursor.skip("SYN_DROPPED") { return SynCode.dropped }
        if cursor.skip("SYN_CONFIG") || cursor.skip("Config Sync") { return 1 }
        if cursor.skip("SYN_MT_REPORT") || cursor.skip("MT Report Sync") { return 2 }
        return nil
    }
}
