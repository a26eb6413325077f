/// A search for the keystrokes of every character that a key table can type, except those that end a scan.
///
/// If there are several ways to type a character, it prefers, in this order:
///
/// 1. a single key, with as few modifiers as possible;
/// 2. as few dead keys as possible, followed by another key (for an accent alone, a space);
/// 3. a single key with Caps Lock on;
/// 4. dead keys with Caps Lock on.
struct KeystrokeFinder {
    typealias Keystroke = Typist.Keystroke

    let modifierKeys: [ModifierKey: KeyCode]
    /// The keystroke that switches Caps Lock; nil if the layout has none or Caps Lock is not used.
    let capsLock: Keystroke?

    private let table: KeyTable
    private let keys: [KeyCode]
    private let ending: Set<Unicode.Scalar>

    init(table: KeyTable, terminators: ScanSettings.Terminators, usesCapsLock: Bool) {
        self.table = table
        keys = table.keys.filter { !terminators.keys.contains($0) }
        ending = terminators.characters
        modifierKeys = Self.modifierKeys(of: table, among: keys)
        capsLock =
            usesCapsLock ? Self.capsLock(of: table, among: keys, holding: modifierKeys) : nil
    }

    /// Finds the keystrokes for every character that the table can type and that does not end a scan.
    func keystrokes() -> [Unicode.Scalar: [Keystroke]] {
        var found: [KeyMeaning: [Keystroke]] = [:]
        addKeys(at: Self.plainLevels, to: &found)
        addDeadKeyPairs(to: &found)
        if capsLock != nil {
            addKeys(at: Self.plainLevels.map { $0.union(.caps) }, to: &found)
            addDeadKeyPairs(to: &found)
        }
        var characters: [Unicode.Scalar: [Keystroke]] = [:]
        for case (.character(let character), let keystrokes) in found {
            characters[character] = keystrokes
        }
        return characters
    }

    static func modifiers(of level: KeyLevel) -> [ModifierKey] {
        let all: [(KeyLevel, ModifierKey)] = [
            (.shift, .leftShift), (.control, .leftControl), (.altGr, .altGr), (.level5, .level5),
        ]
        return all.filter { level.contains($0.0) }.map(\.1)
    }

    /// The levels to try without Caps Lock, in order of preference.
    private static let plainLevels: [KeyLevel] = [
        [], .shift, .altGr, [.shift, .altGr], .level5, [.shift, .level5], [.altGr, .level5],
        [.shift, .altGr, .level5], .control, [.shift, .control], [.altGr, .control],
        [.shift, .altGr, .control],
    ]
}

extension KeystrokeFinder {
    private func addKeys(at levels: [KeyLevel], to found: inout [KeyMeaning: [Keystroke]]) {
        let reachable = levels.filter { level in
            Self.modifiers(of: level).allSatisfy { modifierKeys[$0] != nil }
        }
        var unusual: [(KeyMeaning, Keystroke)] = []
        for level in reachable {
            for key in keys {
                let meaning = table[key, level]
                guard isWanted(meaning), found[meaning] == nil else { continue }
                let keystroke = Keystroke(key: key, level: level)
                if isUnusual(keystroke) {
                    unusual.append((meaning, keystroke))
                } else {
                    found[meaning] = [keystroke]
                }
            }
        }
        for (meaning, keystroke) in unusual where found[meaning] == nil {
            found[meaning] = [keystroke]
        }
    }

    private func isWanted(_ meaning: KeyMeaning) -> Bool {
        switch meaning {
        case .character(let character): !ending.contains(character)
        case .dead: true
        default: false
        }
    }

    /// Adds the keystrokes of the characters that are typed with dead keys.
    private func addDeadKeyPairs(to found: inout [KeyMeaning: [Keystroke]]) {
        let pairs = table.deadKeyPairs.filter { isWanted($0.result) }
        let spacesFirst =
            pairs.filter { $0.next == .character(" ") }
            + pairs.filter { $0.next != .character(" ") }
        while true {
            let known = found
            for pair in spacesFirst where known[pair.result] == nil {
                guard let dead = known[.dead(pair.dead)], let next = known[pair.next] else {
                    continue
                }
                // After a dead key, the next character must take a single key.
                guard next.count == 1 else { continue }
                let old = found[pair.result]?.count ?? .max
                if dead.count + 1 < old { found[pair.result] = dead + next }
            }
            guard found.count > known.count else { return }
        }
    }

    private static func modifierKeys(
        of table: KeyTable, among keys: [KeyCode]
    ) -> [ModifierKey: KeyCode] {
        var found: [ModifierKey: KeyCode] = [:]
        for key in keys {
            guard case .modifier(let modifier) = table[key, []], found[modifier] == nil
            else { continue }
            found[modifier] = key
        }
        return found
    }

    /// Finds the keystroke that toggles Caps Lock: its key, or both Shift keys together.
    private static func capsLock(
        of table: KeyTable, among keys: [KeyCode], holding held: [ModifierKey: KeyCode]
    ) -> Keystroke? {
        let all = [[], KeyLevel.shift].flatMap { level in
            keys.map { Keystroke(key: $0, level: level) }
        }
        return all.first { keystroke in
            table[keystroke.key, keystroke.level] == .capsLock
                && table[keystroke.key, keystroke.level.union(.caps)] == .capsLock
                && !modifiers(of: keystroke.level).contains { held[$0] == keystroke.key }
        }
    }

    /// The keystroke that starts Unicode entry (Ctrl+Shift+U); nil if the layout has none.
    var unicodeEntry: Keystroke? {
        let level: KeyLevel = [.shift, .control]
        return keys.first { table[$0, level] == .unicodeEntry }
            .map { Keystroke(key: $0, level: level) }
    }

    /// Whether to use a keystroke only if no other one types its character.
    ///
    /// A key is unusual if many keyboards lack it, such as brackets on the keypad, or if Num Lock changes what it
    /// types. Control with a digit, slash or space is unusual, too, because only X11 supports it.
    private func isUnusual(_ keystroke: Keystroke) -> Bool {
        let key = keystroke.key
        let isOnKeypad = (KeyCode.kp7.rawValue...KeyCode.kpdot.rawValue).contains(key.rawValue)
        let isExtra = key.rawValue > KeyCode.f12.rawValue && !Self.usualExtraKeys.contains(key)
        if isOnKeypad || isExtra || key == .iso102nd || key == .kpasterisk { return true }
        guard keystroke.level.contains(.control) else { return false }
        let plain = table[key, keystroke.level.subtracting(.control)]
        guard case .character(let character) = plain else { return true }
        return character == " " || ("/"..."9").contains(character)
    }

    /// Common keys whose key codes are higher than that of F12.
    private static let usualExtraKeys: Set<KeyCode> = [.ro, .yen, .delete]
}
