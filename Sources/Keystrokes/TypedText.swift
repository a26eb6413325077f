/// The data of a scan, without the prefix, suffix and identifiers that the scanner adds.
struct TypedText {
    private(set) var text: Substring
    /// The AIM identifier, sent by the scanner or derived from its code identifier; nil if it is unknown.
    private(set) var aim: String?
    private(set) var codeIdentifier: String?
    /// The changes made to the typed text: removed parts and replaced characters.
    private(set) var features: ScanFeatures = []

    /// Removes what the scanner added to the text, and restores replaced characters.
    ///
    /// The additions are the prefix, the suffix and the identifiers. The AIM identifier may precede or follow the
    /// prefix, because scanners differ. If `aim` is given, the text is not searched for an AIM identifier.
    init(_ typed: String, aim: String? = nil, _ rules: ScanRules) {
        let settings = rules.settings
        text = typed[...]
        self.aim = aim
        dropPrefix(settings.prefix)
        if aim == nil, settings.splitsAIMIdentifier {
            splitAIM()
            if self.aim != nil, !features.contains(.prefix) { dropPrefix(settings.prefix) }
        }
        dropSuffix(settings.suffix)
        if !settings.codeIdentifiers.isEmpty { splitCodeIdentifier(settings.codeIdentifiers) }
        for names in rules.controlNames { resolve(names) }
        if !settings.substitutes.isEmpty { substitute(settings.substitutes) }
    }

    private mutating func dropPrefix(_ prefix: String) {
        guard !prefix.isEmpty, text.unicodeScalars.starts(with: prefix.unicodeScalars) else {
            return
        }
        text = Substring(text.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
        features.insert(.prefix)
    }

    private mutating func dropSuffix(_ suffix: String) {
        let scalars = suffix.unicodeScalars
        guard !scalars.isEmpty, text.unicodeScalars.reversed().starts(with: scalars.reversed())
        else { return }
        text = Substring(text.unicodeScalars.dropLast(scalars.count))
        features.insert(.suffix)
    }

    private mutating func splitAIM() {
        guard AIMPrefix.begins(text) else { return }
        aim = String(text.utf8.prefix(AIMPrefix.length))
        text = text[text.utf8.index(text.startIndex, offsetBy: AIMPrefix.length)...]
    }

    private mutating func splitCodeIdentifier(_ identifiers: CodeIdentifiers) {
        guard aim == nil, let (identifier, meaning) = identifiers.identifier(at: text) else {
            return
        }
        text = Substring(text.unicodeScalars.dropFirst(identifier.unicodeScalars.count))
        codeIdentifier = identifier
        aim = meaning
        features.insert(.codeIdentifier)
    }

    private mutating func resolve(_ names: ControlNames) {
        change(to: names.resolved(text), .controlName)
    }

    private mutating func substitute(_ substitutes: [Unicode.Scalar: Unicode.Scalar]) {
        guard text.unicodeScalars.contains(where: { substitutes[$0] != nil }) else { return }
        var result = Substring.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(substitutes[scalar] ?? scalar) }
        change(to: Substring(result), .substitute)
    }

    private mutating func change(to changed: Substring, _ feature: ScanFeatures) {
        guard !changed.unicodeScalars.elementsEqual(text.unicodeScalars) else { return }
        text = changed
        features.insert(feature)
    }
}

/// The form of an AIM identifier: `]`, a code letter and a modifier.
///
/// Rule: ISO/IEC 15424, section 4: the flag character U+005D, a symbology letter, and a digit or letter for options.
enum AIMPrefix {
    static let length = 3

    /// Whether `text` starts with an AIM identifier, followed by at least one character.
    static func begins(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "]") else { return false }
        let head = Array(bytes.prefix(length + 1))
        return head.count == length + 1 && isLetter(head[1])
            && (isLetter(head[2]) || (0x30...0x39).contains(head[2]))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
