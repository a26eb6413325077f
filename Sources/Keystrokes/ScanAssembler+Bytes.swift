/// A part of a code from a scanner that sends bytes instead of keys.
package struct CodePart: Hashable, Sendable {
    /// The AIM identifier that came with the part, if any.
    package var aim: String?
    /// The data of the part, in the scanner's encoding.
    package var data: [UInt8]
    /// Whether the code ends with this part.
    package var isLast: Bool
    /// Whether the part contradicts itself, so it may have lost data.
    package var isDamaged: Bool

    package init(aim: String? = nil, data: [UInt8], isLast: Bool = true, isDamaged: Bool = false) {
        self.aim = aim
        self.data = data
        self.isLast = isLast
        self.isDamaged = isDamaged
    }
}

/// Scanners that send bytes instead of keys.
///
/// Each byte counts as a key that types the character with its number, so the same rules decide for all
/// scanners when a scan starts, ends and breaks.
extension ScanAssembler {
    /// Feeds a byte of a stream in which starts, terminators and pauses separate the scans.
    package mutating func feed(byte: UInt8, at microseconds: Int64) -> Outcome {
        let before = pass(to: microseconds)
        framer.recordChange(at: microseconds)
        let character = Unicode.Scalar(byte)
        let typed = TypedKey(
            character: character, key: .none, isStart: rules.start.include(character),
            isEnd: rules.end.include(character))
        let after = outcome(of: framer.add(typed, countsKey: true, at: microseconds))
        // If the pause completes a scan, the byte cannot complete another.
        if case .nothing = before { return after }
        return before
    }

    /// Feeds a part of a code whose end the scanner marks.
    ///
    /// Call ``advance(to:)`` with the same time first, because the pause before the part may complete a
    /// rejection.
    package mutating func feed(_ part: CodePart, at microseconds: Int64) -> Outcome {
        _ = pass(to: microseconds)
        framer.recordChange(at: microseconds)
        if part.isDamaged || !framer.accepts(aim: part.aim) { framer.tear(at: microseconds) }
        for byte in part.data {
            let typed = TypedKey(character: Unicode.Scalar(byte), key: .none)
            _ = framer.add(typed, countsKey: true, at: microseconds)
        }
        guard part.isLast else { return .nothing }
        let end = TypedKey(character: nil, key: .none, isEnd: true)
        return outcome(of: framer.add(end, countsKey: false, at: microseconds))
    }
}

extension ScanSettings {
    /// The settings for a stream of bytes: keys that start or end scans become the bytes that scanners
    /// send for them, and characters are bytes.
    package var forBytes: ScanSettings {
        var settings = self
        settings.start = start.asCharacters
        settings.terminators = terminators.asCharacters
        if settings.terminators.isEmpty, !terminators.isEmpty {
            settings.terminators.characters = ["\r"]
        }
        if encoding == .characters { settings.encoding = .utf8 }
        return settings
    }

    /// The settings for codes whose end the scanner marks.
    package var forWholeCodes: ScanSettings {
        var settings = self
        settings.start = .none
        settings.terminators = .endOfCode
        settings.terminatorPause = .zero
        if encoding == .characters { settings.encoding = .utf8 }
        return settings
    }
}

extension ScanSettings {
    /// The bytes of a scan with the settings ``forBytes`` or ``forWholeCodes``: start, prefix, text, suffix and
    /// terminator.
    package func bytes(for text: String) throws(TypingError) -> [UInt8] {
        let marks = [start, terminators].map { ends in ends.characters.min().map { [$0] } ?? [] }
        let characters = marks[0] + (try typedCharacters(for: text)).map(\.character) + marks[1]
        return characters.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension ScanSettings.Terminators {
    /// The terminators for scanners that mark the end of a code themselves: a key that does not exist.
    static let endOfCode = Self(keys: [.none])

    fileprivate var asCharacters: Self {
        var result = Self(characters: characters)
        if !keys.isDisjoint(with: [.enter, .kpenter]) { result.characters.insert("\r") }
        if keys.contains(.tab) { result.characters.insert("\t") }
        if keys.contains(.esc) { result.characters.insert("\u{1B}") }
        return result
    }
}

extension KeyCode {
    /// No key (`KEY_RESERVED`): the key with which bytes are "typed".
    fileprivate static let none = KeyCode(rawValue: 0)
}
