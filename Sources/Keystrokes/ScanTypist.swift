/// A typist that types text as a scanner with the given settings does: the inverse of ``ScanAssembler``.
///
/// In ALT mode, it types characters as numbers on the keypad. With Unicode entry, it types a character as a number
/// after Ctrl+Shift+U if the layout has no key for the character.
public struct ScanTypist: Sendable {
    let settings: ScanSettings
    /// The typist for the data, which avoids keys that end a scan.
    let typist: Typist
    /// A typist that, unlike ``typist``, may use keys that end a scan.
    let endTypist: Typist

    /// Creates a typist and finds the keystrokes for all characters; reuse the typist for several texts.
    public init(settings: ScanSettings) {
        self.settings = settings
        let table = settings.typingTable
        let usesCapsLock = settings.caps != .ignore
        typist = Typist(table: table, terminators: settings.ends, usesCapsLock: usesCapsLock)
        endTypist = Typist(table: table, terminators: .none, usesCapsLock: usesCapsLock)
    }

    /// Makes the key events of a scan: start, prefix, text, suffix and terminator.
    ///
    /// - Parameters:
    ///   - text: The text of the scan.
    ///   - pace: The time from one press or release to the next.
    ///   - start: The time of the first event, in microseconds; times that overflow are clamped to `Int64.max`.
    /// - Returns: The events, earliest first.
    /// - Throws: ``TypingError`` if the scanner cannot type the text, or if a character of the text would end the scan.
    ///   The error's offset counts from the start of the prefix.
    public func events(
        for text: String, pace: Duration = .milliseconds(2), startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        let hasEnter = settings.ends.keys.contains(.enter) || settings.ends.keys.contains(.kpenter)
        if hasEnter, !settings.hasAltNumpad {
            for (offset, character) in try settings.typedCharacters(for: text)
            where character == "\n" || character == "\r" {
                throw .noKey(character: character, offset: offset)
            }
        }
        return try events(typing: text, pace: pace, startingAt: start)
    }

    /// Makes events like ``events(for:pace:startingAt:)``, but allows line breaks if Enter ends scans.
    package func events(
        typing text: String, pace: Duration, startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        let characters = try settings.typedCharacters(for: text)
        var tape = KeyEventSequence(pace: pace.wholeMicroseconds, now: start)
        try type(settings.start, or: nil, on: &tape)
        for (offset, character) in characters {
            guard !settings.ends.characters.contains(character) else {
                throw .noKey(character: character, offset: offset)
            }
            try type(character, by: typist, offset: offset, on: &tape)
        }
        try type(settings.terminators, or: .enter, on: &tape)
        typist.switchCapsLock(on: false, on: &tape)
        return tape.events
    }
}

extension ScanTypist {
    /// Types one of `ends`, preferably the key `preferred`; types nothing if `ends` is empty.
    private func type(
        _ ends: ScanSettings.Terminators, or preferred: KeyCode?, on tape: inout KeyEventSequence
    ) throws(TypingError) {
        let keys = ends.keys.sorted { $0.rawValue < $1.rawValue }
        if let key = keys.first(where: { $0 == preferred }) ?? keys.first {
            typist.type(Typist.Keystroke(key: key), on: &tape)
        } else if let character = ends.characters.min() {
            try type(character, by: endTypist, offset: 0, on: &tape)
        }
    }

    func type(
        _ character: Unicode.Scalar, by typist: Typist, offset: Int, on tape: inout KeyEventSequence
    ) throws(TypingError) {
        if settings.hasAltNumpad, let digits = altDigits(for: character) {
            typeAltNumber(digits, on: &tape)
        } else if let keystrokes = keystrokes(for: character, by: typist) {
            for keystroke in keystrokes { typist.type(keystroke, on: &tape) }
        } else if settings.hasUnicodeEntry, let keystrokes = unicodeKeystrokes(for: character) {
            for keystroke in keystrokes { typist.type(keystroke, on: &tape) }
        } else {
            throw .noKey(character: character, offset: offset)
        }
    }

    /// Finds the keystrokes that type a character; nil if it cannot be typed.
    ///
    /// For a scanner that types bytes, a character up to U+00FF stands for a byte. If the layout lacks the character,
    /// the keystrokes type the byte's Windows-1252 character instead, for instance the euro sign for U+0080.
    private func keystrokes(
        for character: Unicode.Scalar, by typist: Typist
    ) -> [Typist.Keystroke]? {
        if let keystrokes = typist.keystrokes(for: character) { return keystrokes }
        guard settings.encoding != .characters, let byte = UInt8(exactly: character.value),
            let other = CodePage.windows1252[byte]
        else { return nil }
        return typist.keystrokes(for: other)
    }

    /// Returns the digits to type for a character in ALT mode; nil if no number stands for the character.
    private func altDigits(for character: Unicode.Scalar) -> [UInt32]? {
        if character.value < 0x80 || settings.encoding != .characters {
            return UInt8(exactly: character.value).map { Self.digits(of: UInt32($0), count: 3) }
        }
        if let byte = CodePage.windows1252.byte(of: character) {
            return Self.digits(of: UInt32(byte), count: 4)
        }
        return CodePage.ibm437.byte(of: character).map { Self.digits(of: UInt32($0), count: 3) }
    }

    private static func digits(of number: UInt32, count: Int) -> [UInt32] {
        let places: [UInt32] = [1_000, 100, 10, 1]
        return places.suffix(count).map { number / $0 % 10 }
    }

    private func typeAltNumber(_ digits: [UInt32], on tape: inout KeyEventSequence) {
        let alt = typist.modifierKeys[.alt] ?? .leftalt
        tape.change(alt, 1)
        for digit in digits {
            let key = AltNumber.keys[Int(digit)]
            tape.change(key, 1)
            tape.change(key, 0)
        }
        tape.change(alt, 0)
    }

    private func unicodeKeystrokes(for character: Unicode.Scalar) -> [Typist.Keystroke]? {
        guard let beginning = typist.unicodeEntry else { return nil }
        var keystrokes = [beginning]
        for digit in String(character.value, radix: 16).unicodeScalars {
            guard let keystroke = endTypist.keystroke(for: digit) else { return nil }
            keystrokes.append(keystroke)
        }
        return keystrokes + [Typist.Keystroke(key: .space)]
    }
}

extension ScanTypist {
    /// Why a scanner can never type a character in the data of a scan.
    package enum Obstacle: Hashable, Sendable {
        case notInEncoding
        /// The character ends a scan, or every key that types it ends a scan.
        case endsScan
        case noKey
    }

    /// Returns why the scanner can never type a character in the data of a scan; nil if it can.
    package func obstacle(to character: Unicode.Scalar) -> Obstacle? {
        guard settings.encoding != .characters else { return obstacle(toTyping: character) }
        guard let bytes = settings.encoding.bytes(of: character) else { return .notInEncoding }
        return bytes.lazy.compactMap { obstacle(toTyping: Unicode.Scalar($0)) }.first
    }

    /// Whether the scanner can type `character` as a start or terminator.
    package func canType(atEnds character: Unicode.Scalar) -> Bool {
        isTypable(character, by: endTypist)
    }

    private func obstacle(toTyping character: Unicode.Scalar) -> Obstacle? {
        if settings.ends.characters.contains(character) { return .endsScan }
        if isTypable(character, by: typist) { return nil }
        return isTypable(character, by: endTypist) ? .endsScan : .noKey
    }

    private func isTypable(_ character: Unicode.Scalar, by typist: Typist) -> Bool {
        var tape = KeyEventSequence(pace: 0, now: 0)
        do {
            try type(character, by: typist, offset: 0, on: &tape)
        } catch {
            return false
        }
        return true
    }
}

extension ScanSettings {
    /// Makes the key events that a scanner with these settings sends for `text`.
    ///
    /// See ``ScanTypist/events(for:pace:startingAt:)``; for many texts, reuse one ``ScanTypist``.
    public func typing(
        of text: String, pace: Duration = .milliseconds(2), startingAt start: Int64 = 0
    ) throws(TypingError) -> [KeyEvent] {
        try ScanTypist(settings: self).events(for: text, pace: pace, startingAt: start)
    }

    /// Returns the characters that the scanner types for the prefix, the text and the suffix.
    ///
    /// `offset` is the position of the original character in the concatenation of the prefix, the text and the suffix.
    func typedCharacters(
        for text: String
    ) throws(TypingError) -> [(offset: Int, character: Unicode.Scalar)] {
        for names in controlNames where names.resolved(text[...]) != text {
            throw .spellsControl
        }
        var typed: [(offset: Int, character: Unicode.Scalar)] = []
        let inner = text.unicodeScalars
        for (offset, scalar) in (prefix.unicodeScalars + inner + suffix.unicodeScalars).enumerated()
        {
            let isInner = (0..<inner.count).contains(offset - prefix.unicodeScalars.count)
            let spelling = isInner ? try spelling(of: scalar, offset: offset) : [scalar]
            for character in spelling {
                guard encoding != .characters else {
                    typed.append((offset, character))
                    continue
                }
                guard let bytes = encoding.bytes(of: character) else {
                    throw .notInEncoding(character: scalar, encoding: encoding, offset: offset)
                }
                typed += bytes.map { (offset, Unicode.Scalar($0)) }
            }
        }
        return typed
    }

    /// Returns the characters that the scanner types for a character of the text.
    private func spelling(
        of scalar: Unicode.Scalar, offset: Int
    ) throws(TypingError) -> [Unicode.Scalar] {
        let substitute = substitutes.filter { $0.value == scalar && $0.key != scalar }.keys.min()
        if let substitute { return [substitute] }
        if let other = substitutes[scalar], other != scalar {
            throw .standsForAnother(character: scalar, offset: offset)
        }
        let names = controlNames.sorted { $0.rawValue < $1.rawValue }
        guard let spelling = names.first?.spelling(of: scalar) else { return [scalar] }
        return Array(spelling.unicodeScalars)
    }
}

/// Why a text cannot be typed.
public enum TypingError: Error, Hashable, Sendable {
    /// The layout has no key for `character`, at the 0-based `offset` in the text.
    case noKey(character: Unicode.Scalar, offset: Int)
    /// ``ScanSettings/substitutes`` replaces `character`, so the scanner cannot type it.
    case standsForAnother(character: Unicode.Scalar, offset: Int)
    /// The scanner's encoding cannot represent `character`, at the 0-based `offset` in the text.
    case notInEncoding(character: Unicode.Scalar, encoding: TypedEncoding, offset: Int)
    /// The text already contains the scanner's spelling of a control character, for instance `<GS>`.
    case spellsControl
}

extension TypingError: CustomStringConvertible {
    /// The error in words: `the layout has no key for U+20AC EURO SIGN, character 3 of the text`.
    public var description: String {
        switch self {
        case .noKey(let character, let offset):
            "the layout has no key for \(Self.name(of: character)), character \(offset) of the text"
        case .standsForAnother(let character, let offset):
            "on this scanner \(Self.name(of: character)) stands for another character (substitutes),"
                + " character \(offset) of the text"
        case .notInEncoding(let character, let encoding, let offset):
            "\(encoding.rawValue) has no \(Self.name(of: character)), character \(offset) of the text"
        case .spellsControl:
            "a part of the text is how this scanner spells a control character out (control_names)"
        }
    }

    private static func name(of character: Unicode.Scalar) -> String {
        let number = String(character.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "U+" + padded + (character.properties.name.map { " \($0)" } ?? "")
    }
}
