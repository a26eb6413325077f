/// Takes off what a scanner types around the data.
struct TypedText {
    /// The data.
    private(set) var text: Substring
    /// The AIM identifier that was in front.
    private(set) var aim: String?

    /// Takes prefix, suffix and AIM identifier off `typed`, each only where it stands.
    ///
    /// Scanners send the AIM identifier before or after their own prefix; both are understood.
    init(_ typed: String, settings: ScanSettings) {
        text = typed[...]
        dropPrefix(settings.prefix)
        if settings.splitsAIMIdentifier {
            let hadPrefix = text.startIndex != typed.startIndex
            splitAIM()
            if aim != nil, !hadPrefix { dropPrefix(settings.prefix) }
        }
        dropSuffix(settings.suffix)
    }

    private mutating func dropPrefix(_ prefix: String) {
        guard !prefix.isEmpty, text.unicodeScalars.starts(with: prefix.unicodeScalars) else {
            return
        }
        let start = text.unicodeScalars.index(
            text.startIndex, offsetBy: prefix.unicodeScalars.count)
        text = text[start...]
    }

    private mutating func dropSuffix(_ suffix: String) {
        let scalars = suffix.unicodeScalars
        guard !scalars.isEmpty, text.unicodeScalars.reversed().starts(with: scalars.reversed())
        else { return }
        text = Substring(text.unicodeScalars.dropLast(scalars.count))
    }

    private mutating func splitAIM() {
        guard AIMPrefix.stands(at: text) else { return }
        aim = String(text.utf8.prefix(AIMPrefix.length))
        text = text[text.utf8.index(text.startIndex, offsetBy: AIMPrefix.length)...]
    }
}

/// The shape of an AIM identifier: `]`, a code letter, a modifier.
///
/// Rule: ISO/IEC 15424, section 4: the flag character U+005D, a letter that names the symbology,
/// and a digit or letter that tells its options.
enum AIMPrefix {
    static let length = 3

    /// Whether `text` begins with an identifier and goes on after it.
    static func stands(at text: Substring) -> Bool {
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
