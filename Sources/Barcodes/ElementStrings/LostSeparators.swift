extension ElementStringReader {
    /// Reports a value of variable length that seems to hold further element strings, because the
    /// separator after it was not sent.
    ///
    /// A value that breaks its format is suspect if its beginning keeps the format and the rest reads
    /// as element strings. One that keeps it is suspect only if the rest starts with a valid
    /// date, a valid key or a measure, of predefined length and not read before.
    mutating func suspectMissingSeparator(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        guard range.count > 3 else { return }
        guard let tail = markingTail(ai, bytes, range) ?? tail(ai, bytes, range) else { return }
        let rest = tail..<range.upperBound
        problems.append(
            Problem(
                .warning, .fnc1MissingSuspect, "\"\(bytes.string(range))\" in (\(ai)) is suspect",
                expected: "FNC1 ahead of \"\(bytes.string(rest))\", which reads as element strings",
                got: "none", at: rest))
    }

    /// Where element strings seem to start within a value.
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

    /// Where the serial number of a marking code seems to end: what follows it is a key of four
    /// characters and its signature, (91) and (92), or a signature of four characters, (93).
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

    /// Whether element strings start at an offset and fill the bytes up to an end.
    ///
    /// Unless it is strict, these may have lost their separators as well.
    private func isStart(_ bytes: Span<UInt8>, at: Int, _ end: Int, strict: Bool) -> Bool {
        guard bytes[at].isDigit, bytes[at + 1].isDigit,
            let first = ApplicationIdentifier.lookup(in: bytes, at: at)
        else { return false }
        let hasRead = elements.contains { $0.applicationIdentifier == first }
        if strict, !first.isTelling || hasRead { return false }
        var deadEnds: Set<Int> = []
        return fill(bytes, from: at, to: end, canSplit: !strict && end - at < 120, &deadEnds)
    }

    /// Whether the bytes are element strings; with `canSplit`, the separators between them may be lost.
    private func fill(
        _ bytes: Span<UInt8>, from at: Int, to end: Int, canSplit: Bool, _ deadEnds: inout Set<Int>
    ) -> Bool {
        if at == end { return true }
        guard !deadEnds.contains(at), let ai = ApplicationIdentifier.lookup(in: bytes, at: at)
        else { return false }
        let start = at + ai.length
        let most = start + ai.spec.most
        // The length of a value is known, or it may end anywhere, or only the end is left.
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
    /// Whether random characters rarely read as the identifier with its value: both are of fixed
    /// length, and either the value has a check or the identifier four digits.
    fileprivate var isTelling: Bool {
        let component = ApplicationIdentifierTable.components[spec.components.lowerBound]
        return spec.isPredefined && (!component.checks.isEmpty || length == 4)
    }
}
