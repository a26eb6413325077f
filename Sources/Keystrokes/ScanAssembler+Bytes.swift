/// A code, or a part of one, from a scanner that sends bytes instead of keys.
package struct CodePart: Hashable, Sendable {
    package var aim: String?
    /// The data of this code, or of this part of a code, in the scanner's encoding.
    package var data: [UInt8]
    package var isLast: Bool
    /// Whether data may be missing, or the end of the data is unknown.
    package var isDamaged: Bool

    package init(aim: String? = nil, data: [UInt8], isLast: Bool = true, isDamaged: Bool = false) {
        self.aim = aim
        self.data = data
        self.isLast = isLast
        self.isDamaged = isDamaged
    }
}

/// Input from scanners that send bytes instead of keys.
///
/// Each byte is treated like a key that types the character of the same value, so the rules for keys apply.
extension ScanAssembler {
    /// Feeds one byte from a scanner whose scans are separated by start characters, terminators or pauses.
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

    /// Feeds a part of a code from a scanner that marks where each code ends.
    ///
    /// Call ``advance(to:)`` with the same time first; otherwise, a rejection that is due after a pause is lost.
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
    /// A copy of the settings for a scanner that sends a stream of bytes.
    ///
    /// In the copy, start and end keys become the characters that scanners send for them, and the encoding
    /// ``TypedEncoding/characters`` becomes UTF-8.
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

    /// A copy of the settings for a scanner that marks where each code ends.
    ///
    /// In the copy, scans have no start key or character, the end of the code is the only terminator, and the
    /// encoding ``TypedEncoding/characters`` becomes UTF-8.
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
    /// Returns the bytes that a scanner sends for `text`; call it on ``forBytes`` or ``forWholeCodes``.
    package func bytes(for text: String) throws(TypingError) -> [UInt8] {
        let marks = [start, terminators].map { ends in ends.characters.min().map { [$0] } ?? [] }
        let characters = marks[0] + (try typedCharacters(for: text)).map(\.character) + marks[1]
        return characters.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension ScanSettings.Terminators {
    /// The terminator for a scanner that marks where each code ends.
    ///
    /// It is a key that does not exist, so no byte of the code can end the scan.
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
    /// A key code without a key (`KEY_RESERVED`), used for scanners that send bytes.
    fileprivate static let none = KeyCode(rawValue: 0)
}
