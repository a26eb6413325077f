internal import Keystrokes

/// What of a table gives ASCII, in little memory: enough to read a code again, not to compose é.
struct ASCIIReader: Hashable, Sendable {
    private let meanings: [Typist.Keystroke: KeyMeaning]
    private let pairs: [DeadKeyPair]

    init(_ table: KeyTable) {
        pairs = table.deadKeyPairs.filter { Self.isASCII($0.result) && Self.isShort($0) }
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

    /// The text the keystrokes give, or nil where one of them gives something else than ASCII.
    func read(_ keystrokes: [Typist.Keystroke]) -> String? {
        var text = ""
        var pending: DeadKey?
        for keystroke in keystrokes {
            guard let meaning = meanings[keystroke] else { return nil }
            switch (pending, meaning) {
            case (nil, .dead(let dead)): pending = dead
            case (nil, .character(let character)): text.unicodeScalars.append(character)
            case (let dead?, let next):
                guard let pair = pairs.first(where: { $0.dead == dead && $0.next == next }),
                    case .character(let character) = pair.result
                else { return nil }
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

    private static func isShort(_ pair: DeadKeyPair) -> Bool {
        pair.next == .dead(pair.dead) || isASCII(pair.next)
    }
}

/// How a layout types ASCII; two layouts for which that is the same do for the same scanner.
///
/// Compared are the keystrokes of a typist, not the cells of the tables: what AltGr and Q type,
/// where Q alone types the same, is of no matter to a scanner.
struct ASCIIKeystrokes: Hashable, Sendable {
    private let keystrokes: [[Typist.Keystroke]?]

    init(_ table: KeyTable) {
        let typist = Typist(table: table)
        keystrokes = (UInt8(0x00)...0x7F).map { typist.keystrokes(for: Unicode.Scalar($0)) }
    }
}
