internal import Keystrokes

/// Finds what the dead keys of a layout give: only with keys that the layout has.
struct DeadKeyReader {
    private let nextKeys: [(symbol: Keysym, meaning: KeyMeaning)]
    private var pairs: [DeadKeyPair] = []
    private var statesInUse: UInt16 = 0

    /// How many keys may follow a dead key.
    ///
    /// The longest sequences there are, for Greek letters with iota, breathing and accent, take
    /// three.
    private static let longestTail = 3

    /// Prepares for the keys of `table`, whose symbols are `symbols`.
    init(_ symbols: KeymapSymbols, _ table: KeyTable) {
        var meanings: [Keysym: KeyMeaning] = [:]
        let levels = KeyLevel.all.filter { !$0.contains(.control) }
        for key in symbols.keys {
            for level in levels {
                let symbol = symbols[key, level]
                guard symbol != .none, meanings[symbol] == nil else { continue }
                switch table[key, level] {
                case .character(let character) where symbol.scalar == character:
                    meanings[symbol] = .character(character)
                case .dead(let dead) where symbol.isDead: meanings[symbol] = .dead(dead)
                default: continue
                }
            }
        }
        nextKeys = meanings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether the layout has any dead key.
    var hasDeadKeys: Bool { nextKeys.contains { $0.symbol.isDead } }

    /// The pairs of all dead keys of the layout.
    mutating func pairs(from compose: borrowing ComposeTable) -> [DeadKeyPair] {
        pairs = []
        statesInUse = 0
        for (symbol, _) in nextKeys where symbol.isDead {
            _ = explore([symbol], as: symbol.deadKey, compose)
        }
        return pairs
    }

    /// Collects what follows `sequence`, which `dead` stands for; false where nothing does.
    private mutating func explore(
        _ sequence: [Keysym], as dead: DeadKey, _ compose: borrowing ComposeTable
    ) -> Bool {
        guard compose.outcome(of: sequence) == .unfinished else { return false }
        var known: Set<KeyMeaning> = []
        for (symbol, meaning) in nextKeys where !known.contains(meaning) {
            let result = result(of: sequence + [symbol], compose)
            guard result != .unknown else { continue }
            // Several symbols can stand for one character; the one with the lowest number counts.
            known.insert(meaning)
            pairs.append(DeadKeyPair(dead, meaning, gives: result))
        }
        return !known.isEmpty
    }

    private mutating func result(
        of sequence: [Keysym], _ compose: borrowing ComposeTable
    ) -> KeyMeaning {
        switch compose.outcome(of: sequence) {
        case .nothing: return .unknown
        case .text(let text):
            // A letter and a combining mark are two characters, and a pair gives one.
            let scalars = text.unicodeScalars
            guard let scalar = scalars.first, scalars.count == 1 else { return .unknown }
            return .character(scalar)
        case .unfinished:
            guard sequence.count <= Self.longestTail else { return .unknown }
            statesInUse += 1
            let state = DeadKey(rawValue: statesInUse)
            return explore(sequence, as: state, compose) ? .dead(state) : .unknown
        }
    }
}
