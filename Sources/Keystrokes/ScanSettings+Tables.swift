extension ScanSettings {
    /// What a key means before anybody asks what begins or ends a scan.
    var typingTable: KeyTable {
        var table = table.handling(caps)
        if hasUnicodeEntry { table.registerUnicodeEntry() }
        return table
    }

    /// The table with start and terminators marked in it, so that a key press is still one look.
    ///
    /// Where there are no terminators, what begins a scan also ends the one before it.
    var scanTable: KeyTable {
        var table = typingTable
        table.mark(start) { $0.asStart }
        table.mark(marks) { $0.asEnd }
        return table
    }

    /// What a scan cannot contain, because it ends there.
    var ends: Terminators {
        if terminators.isEmpty { return start }
        return terminatorPause > .zero ? .none : terminators
    }

    /// What the table holds as the end of a scan: its terminators, or the start of the next one.
    var marks: Terminators { terminators.isEmpty ? start : terminators }

    /// The longest text as typed that can still become a scan: the data and all that is taken off.
    var longestTypedText: Int {
        let perCharacter = encoding.longestCharacter
        let perControl = controlNames.isEmpty ? 1 : ControlNames.longestSpelling
        let aim = splitsAIMIdentifier ? AIMPrefix.length : 0
        let around = prefix.unicodeScalars.count + suffix.unicodeScalars.count
        return lengths.upperBound.multipliedClamped(by: perCharacter * perControl)
            .addingClamped((around + aim + codeIdentifiers.longest) * perCharacter)
    }
}

extension KeyTable {
    /// Makes Ctrl+Shift+U begin a number; the key is the one that types a U, wherever it is.
    fileprivate mutating func registerUnicodeEntry() {
        let control = KeyMeaning.character("\u{15}")
        for key in keys {
            for level in KeyLevel.all where level.isSuperset(of: [.shift, .control]) {
                if self[key, level] == control { self[key, level] = .unicodeEntry }
            }
        }
    }

    /// Changes the keys and the characters that begin or end scans, whichever keys type them.
    fileprivate mutating func mark(
        _ marks: ScanSettings.Terminators, _ change: (KeyMeaning.Packed) -> KeyMeaning.Packed
    ) {
        for key in marks.keys where key.rawValue <= KeyCode.highest { grow(toHold: key) }
        let characters = Set(marks.characters.map(\.value))
        changeAll { key, meaning in
            let isMarked =
                key.map(marks.keys.contains) ?? false
                || meaning.character.map(characters.contains) ?? false
            return isMarked ? change(meaning) : meaning
        }
    }
}
