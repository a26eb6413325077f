/// Finds the keystrokes for every character a table can type.
///
/// It prefers, in this order: a key of its own; dead keys and a key after them, the fewer the
/// better, and a space after an accent rather than the accent twice; both again with Caps Lock.
/// Among keys of their own, it prefers one that needs fewer keys held.
struct KeystrokeFinder {
    typealias Keystroke = Typist.Keystroke

    /// The first key of each modifier.
    let modifierKeys: [ModifierKey: KeyCode]
    /// The keystroke that switches Caps Lock; nil if the layout has none or it must not be used.
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

    /// The keystrokes of every character, without those that end a scan.
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

    /// The modifiers that must be held for a level.
    static func modifiers(of level: KeyLevel) -> [ModifierKey] {
        let all: [(KeyLevel, ModifierKey)] = [
            (.shift, .leftShift), (.control, .leftControl), (.altGr, .altGr), (.level5, .level5),
        ]
        return all.filter { level.contains($0.0) }.map(\.1)
    }

    /// The levels in the order of preference: those that need fewer keys held come first.
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

    /// Adds the characters of dead keys, with one more key each round, until nothing is new.
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
                // One key follows a dead key; a composed character would take several.
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

    /// Finds the keystroke that switches Caps Lock: its key, or both Shift keys together.
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

    /// The keystroke that begins a character typed as its number; nil if the layout has none.
    var unicodeEntry: Keystroke? {
        let level: KeyLevel = [.shift, .control]
        return keys.first { table[$0, level] == .unicodeEntry }
            .map { Keystroke(key: $0, level: level) }
    }

    /// Whether a keystroke is used only if there is no other.
    ///
    /// Many keyboards lack the key, such as the brackets of a keypad, or Num Lock changes it, or it
    /// is Control with a digit, slash or space, which only X11 understands.
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

    /// Keys with numbers above F12's that are common in whole countries.
    private static let usualExtraKeys: Set<KeyCode> = [.ro, .yen, .delete]
}
