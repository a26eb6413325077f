/// A row of the table of application identifiers: 64 bits, from the lowest on.
///
/// 10 bits where its components start, 3 how many there are, 3 digits of the identifier, 1 each
/// for predefined length, Digital Link attribute and Digital Link key, 7 least and 7 most
/// characters of the value, 12 where its rules start, 8 where its qualifiers start.
struct ApplicationIdentifierRow {
    let packed: UInt64

    @inline(__always)
    private func field(_ shift: UInt64, _ bits: UInt64) -> Int {
        Int(packed >> shift & (1 << bits - 1))
    }

    /// Where the components start and end in the table.
    var components: Range<Int> { field(0, 10)..<field(0, 10) + field(10, 3) }
    /// Whether no FNC1 need follow.
    var isPredefined: Bool { field(16, 1) == 1 }
    /// Whether it may stand in the query of a Digital Link.
    var isDigitalLinkAttribute: Bool { field(17, 1) == 1 }
    /// Whether it can head a Digital Link.
    var isDigitalLinkKey: Bool { field(18, 1) == 1 }
    /// The fewest characters of a value.
    var least: Int { field(19, 7) }
    /// The most characters of a value.
    var most: Int { field(26, 7) }
    /// Where its rules start: what it must not come with, and what it must.
    var rules: Int { field(33, 12) }
    /// Where its qualifiers start.
    var qualifiers: Int { field(45, 8) }

    /// The sequences of qualifiers of a Digital Link key, in their order.
    var qualifierSequences: [[UInt16]] {
        var sequences: [[UInt16]] = []
        _ = hasQualifierSequence { places in
            sequences.append(Array(ApplicationIdentifierTable.qualifiers[places]))
            return false
        }
        return sequences
    }

    /// Whether one of the sequences, given as places in the table of qualifiers, passes a test.
    func hasQualifierSequence(where test: (Range<Int>) -> Bool) -> Bool {
        var end = qualifiers + 1
        for _ in 0..<ApplicationIdentifierTable.qualifiers[qualifiers] {
            let start = end + 1
            end = start + Int(ApplicationIdentifierTable.qualifiers[end])
            if test(start..<end) { return true }
        }
        return false
    }
}

/// A part of an element string's value: 64 bits, from the lowest on.
///
/// 2 bits its character set, 1 whether it may be left out, 7 its least and 7 its most
/// characters, then 6 for each check of its content, 0 for no more.
struct GS1Component {
    let packed: UInt64

    /// The check of the character set.
    var characterRule: ContentRule {
        switch packed & 3 {
        case 0: .csetnumeric
        case 1: .cset82
        case 2: .cset39
        default: .cset64
        }
    }
    /// Whether it may be left out.
    var isOptional: Bool { packed >> 2 & 1 == 1 }
    /// The fewest characters.
    var least: Int { Int(packed >> 3 & 0x7F) }
    /// The most characters.
    var most: Int { Int(packed >> 10 & 0x7F) }
    /// The checks of its content, six bits each.
    var rules: UInt64 { packed >> 17 }
}
