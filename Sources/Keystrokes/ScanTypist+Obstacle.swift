extension ScanTypist {
    /// What keeps a character out of every scan of a scanner.
    package enum Obstacle: Hashable, Sendable {
        /// The encoding of the scanner does not have it.
        case notInEncoding
        /// It ends a scan, or so does whatever key types it.
        case endsScan
        /// Nothing types it.
        case noKey
    }

    /// Why a character can never be in what a scanner types between start and terminator.
    ///
    /// - Parameter character: The character, as prefix, suffix and substitutes have it.
    /// - Returns: What is in its way; nil where nothing is.
    package func obstacle(to character: Unicode.Scalar) -> Obstacle? {
        guard settings.encoding != .characters else { return obstacle(toTyping: character) }
        guard let bytes = settings.encoding.bytes(of: character) else { return .notInEncoding }
        return bytes.lazy.compactMap { obstacle(toTyping: Unicode.Scalar($0)) }.first
    }

    /// Whether a character can be typed where a scan begins or ends.
    ///
    /// - Parameter character: The character.
    /// - Returns: Whether there is a key or a number for it.
    package func canType(atEnds character: Unicode.Scalar) -> Bool {
        isTypable(character, by: endTypist)
    }

    private func obstacle(toTyping character: Unicode.Scalar) -> Obstacle? {
        if settings.ends.characters.contains(character) { return .endsScan }
        if isTypable(character, by: typist) { return nil }
        return isTypable(character, by: endTypist) ? .endsScan : .noKey
    }

    private func isTypable(_ character: Unicode.Scalar, by typist: Typist) -> Bool {
        var tape = KeyEventTape(pace: 0, now: 0)
        do {
            try type(character, by: typist, offset: 0, on: &tape)
        } catch {
            return false
        }
        return true
    }
}
