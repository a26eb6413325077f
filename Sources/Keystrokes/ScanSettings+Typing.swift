extension ScanSettings {
    /// The key events by which a scanner with these settings types a text.
    ///
    /// For many texts make one ``ScanTypist`` and keep it.
    ///
    /// - Parameters:
    ///   - text: The text of the scan.
    ///   - pace: The time between two changes.
    ///   - start: The time of the first event, in microseconds.
    /// - Returns: The events in order.
    /// - Throws: ``TypingError``, as ``ScanTypist/events(for:pace:startingAt:)``.
    public func typing(
        of text: String, pace: Duration = .milliseconds(2), startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        try ScanTypist(settings: self).events(for: text, pace: pace, startingAt: start)
    }

    /// What is typed for a text between start and terminator, with the offsets in the text.
    func typedCharacters(
        for text: String
    ) throws(TypingError) -> [(offset: Int, character: Unicode.Scalar)] {
        for names in controlNames where names.resolved(text[...]) != text {
            throw .spellsControl
        }
        var typed: [(offset: Int, character: Unicode.Scalar)] = []
        let inner = text.unicodeScalars
        for (offset, scalar) in (prefix.unicodeScalars + inner + suffix.unicodeScalars).enumerated()
        {
            let isInner = (0..<inner.count).contains(offset - prefix.unicodeScalars.count)
            let stands = isInner ? try standIn(for: scalar, offset: offset) : [scalar]
            for character in stands {
                guard encoding != .characters else {
                    typed.append((offset, character))
                    continue
                }
                guard let bytes = encoding.bytes(of: character) else {
                    throw .notInEncoding(character: scalar, encoding: encoding, offset: offset)
                }
                typed += bytes.map { (offset, Unicode.Scalar($0)) }
            }
        }
        return typed
    }

    /// What is typed for a character of the data: itself, its substitute or its name.
    private func standIn(
        for scalar: Unicode.Scalar, offset: Int
    ) throws(TypingError) -> [Unicode.Scalar] {
        let substitute = substitutes.filter { $0.value == scalar && $0.key != scalar }.keys.min()
        if let substitute { return [substitute] }
        if let other = substitutes[scalar], other != scalar {
            throw .standsForAnother(character: scalar, offset: offset)
        }
        let names = controlNames.sorted { $0.rawValue < $1.rawValue }
        guard let spelling = names.first?.spelling(of: scalar) else { return [scalar] }
        return Array(spelling.unicodeScalars)
    }
}
