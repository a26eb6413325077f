package import Keystrokes

/// A detector of scans from scanners whose layout differs from the configured one.
///
/// The detector converts a scan's text back into keystrokes and reads them on other layouts. It suspects a layout only
/// if there is evidence, for instance if the result is a web address; see ``Evidence-swift.enum``. It never changes the
/// text. ``isWorthALook(_:)`` rules out most texts at almost no cost.
package struct LayoutSuspicion: Sendable {
    package enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// On another layout, the same keys type text that starts with an AIM identifier.
        case aimIdentifier = "aim-identifier"
        /// The keys type a long number on another layout, but no digit on the configured layout.
        case digits
        case webAddress = "web-address"
        /// All keys type ASCII on another layout, but one of them means nothing on the configured layout.
        case knownKey = "known-key"
    }

    private let configured: Typist
    private let configuredLayout: KeyLayout
    private var readers: [(layouts: [KeyLayout], reader: ASCIIReader)] = []

    package init(configured: CompiledLayout) {
        self.configured = Typist(table: configured.table, terminators: .none)
        configuredLayout = configured.layout
    }

    /// Adds a layout that the scanner could be set to; add the likely ones first.
    package mutating func add(_ candidate: CompiledLayout) {
        guard candidate.layout != configuredLayout else { return }
        let reader = ASCIIReader(candidate.table)
        if let index = readers.firstIndex(where: { $0.reader == reader }) {
            readers[index].layouts.append(candidate.layout)
        } else {
            readers.append(([candidate.layout], reader))
        }
    }

    /// Finds the layouts on which the text was probably typed; nil if there is no evidence.
    package func finding(in text: String) -> LayoutFinding? {
        guard let keystrokes = keystrokes(for: text) else { return nil }
        let readings = readers.compactMap { layouts, reader in
            reader.read(keystrokes).map { (layouts: layouts, text: $0) }
        }
        for evidence in Evidence.allCases {
            let layouts = readings.filter { evidence.isIn($0.text, ratherThan: text) }
                .flatMap(\.layouts)
            if !layouts.isEmpty { return LayoutFinding(layouts: layouts, evidence: evidence) }
        }
        return nil
    }

    /// Finds layouts on which the keys of `text`, followed by `keystroke`, type only ASCII; nil if no layout does.
    ///
    /// Call it if a scan was rejected because `keystroke` means nothing on the configured layout. This happens, for
    /// instance, if the scanner is set to a layout with AltGr, but the configured layout has none.
    package func finding(
        in text: String, before keystroke: Typist.Keystroke
    ) -> LayoutFinding? {
        guard let keystrokes = keystrokes(for: text) else { return nil }
        let layouts = readers.filter { $0.reader.read(keystrokes + [keystroke]) != nil }
            .flatMap(\.layouts)
        return layouts.isEmpty ? nil : LayoutFinding(layouts: layouts, evidence: .knownKey)
    }

    private func keystrokes(for text: String) -> [Typist.Keystroke]? {
        var keystrokes: [Typist.Keystroke] = []
        for character in text.unicodeScalars {
            guard let some = configured.keystrokes(for: character) else { return nil }
            keystrokes += some
        }
        return keystrokes
    }
}

// The cheap test for every scan.
extension LayoutSuspicion {
    /// Tests quickly, without trying other layouts, whether ``finding(in:)`` could find anything.
    ///
    /// On the wrong layout, an AIM identifier or a number turns into text that starts with a symbol or an accented
    /// letter, and a web address into text whose second and third characters are equal.
    package static func isWorthALook(_ text: String) -> Bool {
        let start = Array(text.unicodeScalars.prefix(8))
        guard let first = start.first, start.count > 3 else { return false }
        return !(first == "]" || isDigit(first) || isLetter(first)) || hasTwins(start)
    }

    /// Whether the text may be a web address (`htt…`) typed on another layout: its second and third characters are
    /// equal, differ from the first, and are not digits.
    private static func hasTwins(_ start: [Unicode.Scalar]) -> Bool {
        start.count == 8 && start[1] == start[2] && start[0] != start[1] && !isDigit(start[1])
            && !Evidence.isWebAddress(String(String.UnicodeScalarView(start)))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
}

extension LayoutSuspicion.Evidence {
    /// Whether there is this evidence that the scan is `reading` (the same keys on another layout) instead of `text`.
    fileprivate func isIn(_ reading: String, ratherThan text: String) -> Bool {
        switch self {
        case .aimIdentifier: Self.hasAIMIdentifier(reading, ratherThan: text)
        case .digits: Self.isNumber(reading) && !text.utf8.contains(where: Self.isDigit)
        case .knownKey: false
        case .webAddress: Self.isWebAddress(reading) && !Self.isWebAddress(text)
        }
    }

    /// Whether `reading` starts with an AIM identifier (ISO/IEC 15424, section 4), but `text` does not.
    ///
    /// After an identifier of EAN or UPC (`]E…`), only digits may follow. A health industry bar code (HIBC) is
    /// excluded, because its `+` could be mistaken for a `]` typed on another layout.
    private static func hasAIMIdentifier(_ reading: String, ratherThan text: String) -> Bool {
        let bytes = Array(reading.utf8)
        guard bytes.count > 3, bytes[0] == UInt8(ascii: "]"), text.utf8.first != bytes[0],
            codeLetters.contains(bytes[1]),
            isDigit(bytes[2]) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[2])
        else { return false }
        if bytes[1] == UInt8(ascii: "E"), !bytes[3...].allSatisfy(isDigit) { return false }
        return !isHealthIndustryCode(text)
    }

    /// Whether a text is a health industry bar code (HIBC): it starts with `+` and ends with the right check character.
    ///
    /// Rule: ANSI/HIBC 2, supplier labelling. The index of the check character in ``code39`` is the sum of the other
    /// characters' indices, modulo 43.
    private static func isHealthIndustryCode(_ text: String) -> Bool {
        let places = text.unicodeScalars.map { code39.firstIndex(of: $0) }
        guard text.utf8.first == UInt8(ascii: "+"), let last = places.last, let last else {
            return false
        }
        let others = places.dropLast().compactMap(\.self)
        return others.count == places.count - 1 && others.reduce(0, +) % code39.count == last
    }

    private static let code39 = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".unicodeScalars)

    private static let codeLetters = Set("ABCDEFGHIJKLMNOPQRSTUXZcdehopsz".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Whether a text consists of at least 8 digits, with at least 3 different ones.
    ///
    /// A line of dashes is not a number, even though another layout may turn it into repetitions of one digit.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.count >= 8 && text.utf8.allSatisfy(isDigit) && Set(text.utf8).count >= 3
    }

    fileprivate static func isWebAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start == "https://" || start.hasPrefix("http://")
    }
}

/// Layouts that the scanner is probably set to, and the evidence for them.
package struct LayoutFinding: Hashable, Sendable, CustomStringConvertible {
    package let layouts: [KeyLayout]
    package let evidence: LayoutSuspicion.Evidence

    /// The finding as a sentence; it does not quote the scanned text, which may be confidential.
    package var description: String {
        let what =
            switch evidence {
            case .aimIdentifier: "an AIM identifier in front"
            case .digits: "a number of digits only"
            case .webAddress: "a web address"
            case .knownKey: "a character where the configured one has none"
            }
        let others = layouts.dropFirst().prefix(4).map(\.description).joined(separator: ", ")
        let names = layouts.first.map { $0.description + (others.isEmpty ? "" : " (or \(others))") }
        return "on layout \(names ?? "?") the same keys give \(what); the scanner may be set to it"
    }

    /// Returns the first layout named in `text`, the ``description`` of a finding; nil if it names none.
    package static func layout(in text: String) -> String? {
        guard let start = text.firstRange(of: "on layout ")?.upperBound else { return nil }
        let name = text[start...].prefix { $0 != " " }
        return (try? KeyLayout(String(name)))?.description
    }
}

/// A reduced copy of a key table, with only the keys that are needed to type ASCII characters.
private struct ASCIIReader: Hashable, Sendable {
    private let meanings: [Typist.Keystroke: KeyMeaning]
    private let pairs: [DeadKeyPair]

    init(_ table: KeyTable) {
        pairs = table.deadKeyPairs.filter { pair in
            Self.isASCII(pair.result) && (pair.next == .dead(pair.dead) || Self.isASCII(pair.next))
        }
        let dead = Set(pairs.map(\.dead))
        var meanings: [Typist.Keystroke: KeyMeaning] = [:]
        let levels = KeyLevel.all.filter { $0.isDisjoint(with: [.caps, .num]) }
        for key in table.keys {
            for level in levels {
                let meaning = table[key, level]
                let isKept =
                    if case .dead(let key) = meaning { dead.contains(key) } else {
                        Self.isASCII(meaning)
                    }
                if isKept { meanings[Typist.Keystroke(key: key, level: level)] = meaning }
            }
        }
        self.meanings = meanings
    }

    /// Returns the text that keystrokes type; nil if it is not entirely ASCII.
    func read(_ keystrokes: [Typist.Keystroke]) -> String? {
        var text = ""
        var pending: DeadKey?
        for keystroke in keystrokes {
            guard var meaning = meanings[keystroke] else { return nil }
            if let dead = pending {
                guard let pair = pairs.first(where: { $0.dead == dead && $0.next == meaning })
                else { return nil }
                meaning = pair.result
            }
            switch meaning {
            case .dead(let dead): pending = dead
            case .character(let character):
                text.unicodeScalars.append(character)
                pending = nil
            default: return nil
            }
        }
        return pending == nil ? text : nil
    }

    private static func isASCII(_ meaning: KeyMeaning) -> Bool {
        if case .character(let character) = meaning { character.isASCII } else { false }
    }
}
