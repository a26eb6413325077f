internal import Keystrokes

/// Makes dead keys of the keys that choose a level for the next key only, as on Latvian layouts:
/// pressed and released ahead of A, such a key gives ā.
///
/// A latch is not of the letter after it but of the key, so where two keys type the same character
/// and differ at the chosen level, the latch with that character gives nothing.
enum LatchReader {
    /// The pairs that the latches of a layout give.
    static func pairs(_ symbols: KeymapSymbols, _ table: KeyTable) -> [DeadKeyPair] {
        let latches: [(Keysym, KeyLevel)] = [(.level3Latch, .altGr), (.level5Latch, .level5)]
        return latches.flatMap { latch, level in
            symbols.contains([latch])
                ? pairs(of: latch, choosing: level, symbols.keys, table) : []
        }
    }

    private static func pairs(
        of latch: Keysym, choosing level: KeyLevel, _ keys: [KeyCode], _ table: KeyTable
    ) -> [DeadKeyPair] {
        var results: [KeyMeaning: Set<KeyMeaning>] = [:]
        for key in keys {
            for plain in [[], .shift, .caps, [.shift, .caps]] as [KeyLevel] {
                let next = table[key, plain]
                switch (next, table[key, plain.union(level)]) {
                case (.character, .character(let character)):
                    results[next, default: []].insert(.character(character))
                case (.dead(latch.deadKey), .character(let character)):
                    results[next, default: []].insert(.character(character))
                case (.character, .dead(let dead)) where dead != latch.deadKey:
                    results[next, default: []].insert(.dead(dead))
                default: continue
                }
            }
        }
        return results.compactMap { next, results in
            guard results.count == 1, let result = results.first else { return nil }
            return DeadKeyPair(latch.deadKey, next, gives: result)
        }
    }
}
