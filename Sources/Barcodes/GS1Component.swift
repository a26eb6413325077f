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
