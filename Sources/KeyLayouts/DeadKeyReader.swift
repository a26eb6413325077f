internal import CXKBCommon
internal import Keystrokes

/// A search for the characters that a layout's dead keys form with the keys after them.
struct DeadKeyReader {
    private let nextKeys: [(symbol: Keysym, meaning: KeyMeaning)]
    private var pairs: [DeadKeyPair] = []
    private var statesInUse: UInt16 = 0

    /// The maximum number of keys after a dead key; Greek letters with three diacritics need three.
    private static let longestTail = 3

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

    var hasDeadKeys: Bool { nextKeys.contains { $0.symbol.isDead } }

    mutating func pairs(from compose: borrowing ComposeTable) -> [DeadKeyPair] {
        pairs = []
        statesInUse = 0
        for (symbol, _) in nextKeys where symbol.isDead {
            _ = explore([symbol], as: symbol.deadKey, compose)
        }
        return pairs
    }

    /// Adds the pairs that begin with `dead`, the dead key that `sequence` forms; returns whether there are any.
    private mutating func explore(
        _ sequence: [Keysym], as dead: DeadKey, _ compose: borrowing ComposeTable
    ) -> Bool {
        guard compose.outcome(of: sequence) == .unfinished else { return false }
        var known: Set<KeyMeaning> = []
        for (symbol, meaning) in nextKeys where !known.contains(meaning) {
            let result = result(of: sequence + [symbol], compose)
            guard result != .unknown else { continue }
            // If several symbols have the same meaning, the lowest one that combines is used.
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
            // A letter with a combining mark is two characters, but the result of a pair is only one.
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

/// Functions that turn latches, which select a level for the next key only, into dead keys.
///
/// On a Latvian layout, for example, pressing the latch and then A types ā. A latch acts on the next key, but a dead
/// key acts on the next character. If two keys type the same character without the latch but different ones after it,
/// the dead key does not combine with that character.
enum LatchReader {
    static func pairs(_ symbols: KeymapSymbols, _ table: KeyTable) -> [DeadKeyPair] {
        let latches: [(Keysym, KeyLevel)] = [(.level3Latch, .altGr), (.level5Latch, .level5)]
        return latches.filter { symbols.contains([$0.0]) }.flatMap { latch, level in
            results(of: latch.deadKey, choosing: level, symbols.keys, table)
                .compactMap { next, results in
                    guard let result = results.first, results.count == 1 else { return nil }
                    return DeadKeyPair(latch.deadKey, next, gives: result)
                }
        }
    }

    /// Returns what each character, and the latch itself, becomes if its keystroke directly follows the latch.
    ///
    /// A latch selects a level for the next key only. Keystrokes of one character may then have different results.
    private static func results(
        of latch: DeadKey, choosing level: KeyLevel, _ keys: [KeyCode], _ table: KeyTable
    ) -> [KeyMeaning: Set<KeyMeaning>] {
        var results: [KeyMeaning: Set<KeyMeaning>] = [:]
        for key in keys {
            for plain in [[], .shift, .caps, [.shift, .caps]] as [KeyLevel] {
                let (next, result) = (table[key, plain], table[key, plain.union(level)])
                switch (next, result) {
                case (.character, .dead(latch)): continue
                case (.character, .dead), (.character, .character), (.dead(latch), .character):
                    results[next, default: []].insert(result)
                default: continue
                }
            }
        }
        return results
    }
}

/// libxkbcommon's compose table, which defines what a dead key and the keys after it type together.
struct ComposeTable: ~Copyable {
    enum Outcome: Equatable {
        /// No sequence in the compose table starts with the given keys.
        case nothing
        case unfinished
        case text(String)
    }

    /// The Compose file of nearly all UTF-8 locales; a user's own file is not read, because it could change scans.
    static let systemFile = "/usr/share/X11/locale/en_US.UTF-8/Compose"

    private let table: OpaquePointer
    private let state: OpaquePointer

    /// Reads a Compose file; nil if the file is missing, or if libxkbcommon cannot parse it.
    init?(file path: String, in context: borrowing XKBContext) {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        guard
            let table = xkb_compose_table_new_from_file(
                context.pointer, file, "en_US.UTF-8", XKB_COMPOSE_FORMAT_TEXT_V1,
                XKB_COMPOSE_COMPILE_NO_FLAGS)
        else { return nil }
        guard let state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS) else {
            xkb_compose_table_unref(table)
            return nil
        }
        self.table = table
        self.state = state
    }

    deinit {
        xkb_compose_state_unref(state)
        xkb_compose_table_unref(table)
    }

    func outcome(of sequence: [Keysym]) -> Outcome {
        xkb_compose_state_reset(state)
        for symbol in sequence { _ = xkb_compose_state_feed(state, symbol.rawValue) }
        switch xkb_compose_state_get_status(state) {
        case XKB_COMPOSE_COMPOSING: return .unfinished
        case XKB_COMPOSE_COMPOSED:
            return .text(
                String(longest: 256) { xkb_compose_state_get_utf8(state, $0.baseAddress, $0.count) }
            )
        default: return .nothing
        }
    }
}
