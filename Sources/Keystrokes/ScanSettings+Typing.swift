extension ScanSettings {
    /// The key events by which a scanner with these settings types a text: prefix, text, suffix and
    /// terminator.
    ///
    /// - Parameters:
    ///   - text: The text of the scan.
    ///   - pace: The time between two changes.
    ///   - start: The time of the first event, in microseconds.
    /// - Returns: The events in order.
    /// - Throws: ``TypingError``, its offset counted in `text` with the prefix in front; also for a
    ///   text that contains a terminator.
    public func typing(
        of text: String, pace: Duration = .milliseconds(2), startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        let typist = Typist(table: table, terminators: terminators)
        return try typist.events(
            for: prefix + text + suffix, endingWith: terminatorKeystroke, pace: pace,
            startingAt: start)
    }

    /// The keystroke that ends a scan: Enter where it may, else the first terminator there is.
    private var terminatorKeystroke: Typist.Keystroke? {
        let keys = terminators.keys.sorted { $0.rawValue < $1.rawValue }
        if let key = keys.first(where: { $0 == .enter }) ?? keys.first {
            return Typist.Keystroke(key: key)
        }
        let characters = terminators.characters.sorted()
        return characters.first.flatMap(Typist(table: table, terminators: .none).keystroke)
    }
}
