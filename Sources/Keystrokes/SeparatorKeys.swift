/// The keys that a scanner presses for the separators RS, GS and EOT in an ISO/IEC 15434 message.
///
/// A message consists of `[)>`, RS, `06`, GS, the fields (separated by GS), RS and EOT. Keyboards have no keys for
/// these separators, so scanners press other keys, which differ between makers. The message shows which: the key
/// after `[)>` is RS, the key after `06` is GS, and another key right after an RS is EOT. In other scans, function and
/// arrow keys are ``KeyMeaning/unknown`` unless the setting `keys` defines them.
///
/// Rule: ISO/IEC 15434, format 06.
struct SeparatorKeys: Hashable, Sendable {
    private var characters: [KeyCode: Unicode.Scalar] = [:]

    /// Returns the separator RS, GS or EOT that a key pressed after `text` stands for; nil if it stands for none.
    mutating func character(of key: KeyCode, after text: ArraySlice<UInt8>) -> Unicode.Scalar? {
        if let known = characters[key] { return known }
        let found: Unicode.Scalar? =
            if Self.ends(text, in: "[)>") {
                "\u{1E}"
            } else if Self.ends(text, in: "[)>06") || Self.ends(text, in: "[)>\u{1E}06") {
                "\u{1D}"
            } else if !characters.isEmpty, Self.ends(text, in: "\u{1E}") {
                "\u{4}"
            } else { nil }
        characters[key] = found
        return found
    }

    private static func ends(_ text: ArraySlice<UInt8>, in end: String) -> Bool {
        text.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
