/// The suspicion that text consists of GS1 element strings although it has neither an AIM identifier nor FNC1.
///
/// Text is suspect only if it consists of several valid element strings and the first one is a GTIN. Otherwise, a
/// timestamp such as 20230103… would also be suspect, because it reads as (20)23 and (01).
package struct GS1Suspicion: Hashable, Sendable {
    /// The character that the text contains in place of FNC1.
    package enum Separator: Hashable, Sendable {
        /// No character; the text's element strings are valid without any FNC1.
        case none
        case character(Unicode.Scalar)
        /// A name of the control character GS, such as `<GS>`.
        case name(Name)
    }

    package enum Name: String, Hashable, Sendable, CaseIterable {
        case angle = "<GS>"
        case braces = "{GS}"
    }

    package let separator: Separator

    /// Examines whether text without FNC1 may be GS1 element strings, a GTIN first; nil if this is not suspected.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count), !bytes.contains(Self.separator),
            bytes.prefix(2).contains(where: \.isDigit)
        else { return nil }
        if let name = Name.allCases.first(where: { Self.isRead(bytes, $0.rawValue) }) {
            separator = .name(name)
        } else if Self.isRead(bytes) {
            separator = .none
        } else if let character = Self.character(for: text, bytes) {
            separator = .character(character)
        } else {
            return nil
        }
    }

    /// Whether text has up to 512 bytes and is several valid element strings, starting with a GTIN.
    package static func isElementStrings(_ text: String) -> Bool {
        lengths.contains(text.utf8.count) && isRead(Array(text.utf8))
    }

    /// Reports element strings whose only error is a lost FNC1; returns nil for any other text.
    static func lostSeparator(in text: String) -> Problem? {
        guard lengths.contains(text.utf8.count), let strings = strings(text.utf8.span),
            let last = strings.elements.last,
            strings.problems.allSatisfy({ $0.isWarning || last.source.contains($0.at ?? -1) })
        else { return nil }
        return strings.problems.first { $0.code == .fnc1MissingSuspect }
    }

    /// The lengths of texts to examine, in bytes: at least two elements; at most 512, to save time.
    private static let lengths = 2 + 14 + 2 + 1...512

    /// Returns the only character that can stand for FNC1; nil if none or several can.
    private static func character(for text: String, _ bytes: [UInt8]) -> Unicode.Scalar? {
        let candidates = Set(
            text.unicodeScalars.filter { !$0.isASCII || !UInt8(ascii: $0).isLetterOrDigit })
        // With more than 8 candidates, the text is prose.
        guard candidates.count <= 8 else { return nil }
        let fitting = candidates.filter { isRead(bytes, String($0)) }
        return fitting.count == 1 ? fitting.first : nil
    }

    private static let separator = UInt8(ascii: ElementStringReader.separator)

    private static func isRead(_ bytes: [UInt8], _ name: String) -> Bool {
        let replaced = bytes.replacing(Array(name.utf8), with: [separator])
        return replaced != bytes && isRead(replaced)
    }

    /// Whether the bytes are several valid element strings, a GTIN first; FNC1 may precede them.
    private static func isRead(_ bytes: [UInt8]) -> Bool {
        let start = bytes[0] == separator ? 1 : 0
        return strings(bytes.span, from: start)?.problems.allSatisfy(\.isWarning) ?? false
    }

    /// Reads several element strings, the first of which contains a GTIN; returns nil for any other text.
    private static func strings(_ bytes: Span<UInt8>, from start: Int = 0) -> ElementStringReader? {
        guard let first = ApplicationIdentifier.lookup(in: bytes, at: start),
            first.key == 0100 || first.key == 0200
        else { return nil }
        let strings = ElementStringReader(scanData: bytes, from: start)
        return strings.elements.count > 1 && strings.elements[0].hasTellingKey ? strings : nil
    }
}
