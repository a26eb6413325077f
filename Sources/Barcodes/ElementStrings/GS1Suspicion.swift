/// The suspicion that a text is GS1 element strings, although it came neither with an AIM identifier
/// nor with FNC1 that would say so.
///
/// What counts is a text that is nothing but element strings without a mistake: several of them, the
/// first a GTIN with its check digit. A time such as 20230103… is also (20)23 and (01).
package struct GS1Suspicion: Hashable, Sendable {
    /// What stands for FNC1 in the text.
    package enum Separator: Hashable, Sendable {
        /// Nothing has to.
        case none
        /// A character.
        case character(Unicode.Scalar)
        /// The name of the control character in brackets.
        case name(Name)
    }

    /// How GS is spelled out.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        /// In angle brackets.
        case angle = "<GS>"
        /// In braces.
        case braces = "{GS}"
    }

    /// What stands for FNC1 in the text.
    package let separator: Separator

    /// Looks a text over; nil where nothing is to be suspected, and where it has FNC1 (GS) itself.
    ///
    /// A character stands for FNC1 only where the text is no element strings without it, and no other
    /// character would do.
    ///
    /// - Parameter text: What was read, without AIM identifier.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count), !bytes.contains(ElementStringReader.separator),
            bytes.prefix(2).contains(where: \.isDigit)
        else { return nil }
        let names = Name.allCases.filter { Self.isRead(bytes, Array($0.rawValue.utf8)) }
        if let name = names.first {
            separator = .name(name)
        } else if Self.isRead(bytes) {
            separator = .none
        } else if let character = Self.character(for: text, bytes) {
            separator = .character(character)
        } else {
            return nil
        }
    }

    /// Whether a text is several element strings without a mistake, the first of them a GTIN.
    ///
    /// - Parameter text: What was read, without AIM identifier; FNC1 is GS (U+001D).
    /// - Returns: False also where it is longer than 512 bytes.
    package static func isElementStrings(_ text: String) -> Bool {
        lengths.contains(text.utf8.count) && isRead(Array(text.utf8))
    }

    /// The problem of a text that would be element strings if the FNC1 behind one of them had not
    /// been lost; nil for any other text.
    static func lostSeparator(in text: String) -> Problem? {
        guard lengths.contains(text.utf8.count) else { return nil }
        let bytes = text.utf8.span
        guard let first = ApplicationIdentifier.lookup(in: bytes, at: 0), first.isOfTradeItem else {
            return nil
        }
        var strings = ElementStringReader()
        strings.readScanData(bytes, from: 0)
        guard let last = strings.elements.last, strings.elements.count > 1,
            strings.elements[0].hasTellingKey,
            strings.problems.allSatisfy({ $0.isWarning || last.source.contains($0.at ?? -1) })
        else { return nil }
        return strings.problems.first { $0.code == .fnc1MissingSuspect }
    }

    /// At least a GTIN behind its identifier, and one character behind another identifier; no more
    /// bytes than symbols of products have, so that no text takes long.
    private static let lengths = 2 + 14 + 2 + 1...512
    /// How many characters are tried; text with more is prose.
    private static let mostCharacters = 8

    /// The only character that makes element strings of a text when it stands for FNC1.
    private static func character(for text: String, _ bytes: [UInt8]) -> Unicode.Scalar? {
        let candidates = Set(text.unicodeScalars.filter { !$0.isLetterOrDigit })
        guard candidates.count <= mostCharacters else { return nil }
        var found: Unicode.Scalar?
        for scalar in candidates where isRead(bytes, Array(String(scalar).utf8)) {
            if found != nil { return nil }
            found = scalar
        }
        return found
    }

    private static func isRead(_ bytes: [UInt8], _ name: [UInt8]) -> Bool {
        guard let replaced = replacing(name, in: bytes) else { return false }
        return isRead(replaced)
    }

    /// Whether bytes are several element strings without a mistake, the first of them a GTIN; FNC1 may
    /// stand ahead of it.
    private static func isRead(_ bytes: [UInt8]) -> Bool {
        let bytes = bytes.span
        let start = bytes[0] == ElementStringReader.separator ? 1 : 0
        guard let first = ApplicationIdentifier.lookup(in: bytes, at: start), first.isOfTradeItem
        else { return false }
        var strings = ElementStringReader()
        strings.readScanData(bytes, from: start)
        return strings.elements.count > 1 && strings.problems.allSatisfy(\.isWarning)
            && strings.elements[0].hasTellingKey
    }

    /// The bytes with FNC1 for every occurrence of a name; nil where there is none.
    private static func replacing(_ name: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at...].starts(with: name) {
                result.append(ElementStringReader.separator)
                at += name.count
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result == bytes ? nil : result
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        isASCII && (UInt8(value).isDigit || UInt8(value).isUpper || UInt8(value).isLower)
    }
}

extension ApplicationIdentifier {
    /// Whether the value is a GTIN: the item's own, or that of what it holds.
    fileprivate var isOfTradeItem: Bool { key == 0100 || key == 0200 }
}
