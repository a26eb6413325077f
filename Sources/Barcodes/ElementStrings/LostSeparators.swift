extension ElementStringReader {
    /// Reports a value that seems to contain more element strings because a separator was lost.
    ///
    /// An invalid value is suspect if its beginning is valid and the rest reads as element strings. For a valid value,
    /// the rest must also start with a date, key or measure of predefined length whose identifier was not read before.
    /// A serial number is also suspect if it seems to contain the end of a Russian marking code.
    mutating func suspectMissingSeparator(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        guard range.count > 3 else { return }
        guard let tail = markingTail(ai, bytes, range) ?? tail(ai, bytes, range) else { return }
        let rest = tail..<range.upperBound
        problems.append(
            Problem(
                .warning, .fnc1MissingSuspect, "\"\(bytes.string(range))\" in (\(ai)) is suspect",
                expected: "FNC1 before \"\(bytes.string(rest))\", which reads as element strings",
                got: "none", at: rest))
    }

    /// Returns the offset in `bytes` where another element string seems to start inside the value `range`, or nil.
    private func tail(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) -> Int? {
        let isBroken = !Self.violations(of: ai, in: bytes.extracting(range)).isEmpty
        let start = range.lowerBound + max(1, ai.spec.least)
        let end = min(range.upperBound - 2, range.lowerBound + ai.spec.most + 1)
        guard start < end, isBroken || range.upperBound - start >= 8 else { return nil }
        return (start..<end).first { at in
            isStart(bytes, at: at, range.upperBound, strict: !isBroken)
                && Self.violations(of: ai, in: bytes.extracting(range.lowerBound..<at)).isEmpty
        }
    }

    /// Returns the offset at which the serial number of a Russian marking code seems to end; nil for other values.
    ///
    /// In a full code, (91) with a key of four characters and (92) with a signature follow the serial number. In a
    /// short code, only (93) or (91) follows, with a value of four characters.
    ///
    /// Rule: the marking codes of Chestny ZNAK.
    private func markingTail(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) -> Int? {
        guard ai.key == 2100, elements.contains(where: { $0.applicationIdentifier.key == 0100 })
        else { return nil }
        for at in range where (5...20).contains(at - range.lowerBound) {
            let length = range.upperBound - at
            if bytes.hasPrefix("91", at: at), length == 52 || length == 96,
                bytes.hasPrefix("92", at: at + 6)
            {
                return at
            }
            let isUsual = [5, 6, 7, 8, 13].contains(at - range.lowerBound)
            let isShort = bytes.hasPrefix("93", at: at) || bytes.hasPrefix("91", at: at)
            if length == 6, isUsual, isShort { return at }
        }
        return nil
    }

    /// Whether the bytes from `at` to `end` are element strings.
    ///
    /// If `strict` is false, the separators between the element strings may be missing. If it is true, the first
    /// identifier must satisfy ``ApplicationIdentifier/isTelling`` and must not have been read before.
    private func isStart(_ bytes: Span<UInt8>, at: Int, _ end: Int, strict: Bool) -> Bool {
        guard bytes[at].isDigit, bytes[at + 1].isDigit,
            let first = ApplicationIdentifier.lookup(in: bytes, at: at)
        else { return false }
        let hasRead = elements.contains { $0.applicationIdentifier == first }
        if strict, !first.isTelling || hasRead { return false }
        var deadEnds: Set<Int> = []
        return fill(bytes, from: at, to: end, canSplit: !strict && end - at < 120, &deadEnds)
    }

    private func fill(
        _ bytes: Span<UInt8>, from at: Int, to end: Int, canSplit: Bool, _ deadEnds: inout Set<Int>
    ) -> Bool {
        if at == end { return true }
        guard !deadEnds.contains(at), let ai = ApplicationIdentifier.lookup(in: bytes, at: at)
        else { return false }
        let start = at + ai.length
        let most = start + ai.spec.most
        // A value without a predefined length ends at the end of the bytes, or anywhere if separators may be missing.
        var stops = ai.spec.isPredefined ? most...most : end...end
        if canSplit, !ai.spec.isPredefined, start < min(most, end) {
            stops = start + 1...min(most, end)
        }
        guard start < stops.lowerBound, stops.upperBound <= end else { return false }
        for stop in stops.reversed()
        where Self.violations(of: ai, in: bytes.extracting(start..<stop)).isEmpty {
            if fill(bytes, from: stop, to: end, canSplit: canSplit, &deadEnds) { return true }
        }
        deadEnds.insert(at)
        return false
    }
}

extension ApplicationIdentifier {
    /// Whether this identifier, followed by a valid value, is unlikely to occur in text by chance.
    fileprivate var isTelling: Bool {
        let component = ApplicationIdentifierTable.components[spec.components.lowerBound]
        return spec.isPredefined && (!component.checks.isEmpty || length == 4)
    }
}
