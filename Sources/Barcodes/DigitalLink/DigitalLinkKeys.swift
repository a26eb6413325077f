/// The key of a Digital Link and its qualifiers, as far as they stand in their order.
struct DigitalLinkKeys {
    /// The key; nil where there is none yet.
    private var head: ApplicationIdentifier?
    /// The qualifiers, of which no key has more than three.
    private var qualifiers = InlineArray<4, UInt16>(repeating: 0)
    private var count = 0

    /// Takes the key, or a qualifier where it is one in its place.
    ///
    /// - Returns: Whether it was taken.
    mutating func take(_ ai: ApplicationIdentifier) -> Bool {
        guard let head else {
            head = ai
            return true
        }
        guard count < qualifiers.count else { return false }
        qualifiers[count] = ai.key
        let fits = head.spec.hasQualifierSequence { places in
            var next = 0
            for place in places where next <= count {
                if qualifiers[next] == ApplicationIdentifierTable.qualifiers[place] { next += 1 }
            }
            return next > count
        }
        if fits { count += 1 }
        return fits
    }

    /// Whether an identifier belongs into the path, beside the qualifiers that are there.
    func haveRoom(for ai: ApplicationIdentifier) -> Bool {
        guard let head else { return false }
        return head.spec.hasQualifierSequence { places in
            Self.isListed(ai.key, places)
                && (0..<count).allSatisfy { Self.isListed(qualifiers[$0], places) }
        }
    }

    private static func isListed(_ key: UInt16, _ places: Range<Int>) -> Bool {
        places.contains { ApplicationIdentifierTable.qualifiers[$0] == key }
    }
}
