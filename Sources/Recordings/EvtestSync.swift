internal import Keystrokes

/// The lines with which evtest shows `EV_SYN` events, as `-------------- SYN_REPORT ------------`.
enum EvtestSync {
    private static let form = "a synchronisation as \"-------------- SYN_REPORT ------------\""

    /// Reads what follows the time.
    ///
    /// - Parameter cursor: Stands behind the time and its comma.
    /// - Returns: The event's code.
    /// - Throws: A fault for an unknown name, or where the strokes behind the name are missing.
    static func read(_ cursor: inout LineCursor) throws(LineFault) -> UInt16 {
        guard cursor.skipStrokes(), cursor.skipBlanks(), let code = code(&cursor),
            cursor.skipBlanks(), cursor.skipStrokes(), EvtestParser.endsOrRemarks(&cursor)
        else { throw LineFault(expected: form) }
        return code
    }

    /// Whether an event without time is one of these.
    ///
    /// - Parameter cursor: Stands at the strokes.
    /// - Returns: Whether strokes and a known name follow.
    static func begins(_ cursor: LineCursor) -> Bool {
        var cursor = cursor
        return cursor.skipStrokes() && cursor.skipBlanks() && code(&cursor) != nil
    }

    /// The newer and the older names.
    private static func code(_ cursor: inout LineCursor) -> UInt16? {
        if let code = cursor.synName() { return code }
        if cursor.skip("Report Sync") || cursor.skip("EV_SYN") { return SynCode.report }
        if cursor.skip("Config Sync") { return 1 }
        return cursor.skip("MT Report Sync") ? 2 : nil
    }
}
