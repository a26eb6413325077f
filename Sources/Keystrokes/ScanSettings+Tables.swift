extension ScanSettings {
    /// What a key means before anybody asks what begins or ends a scan.
    var typingTable: KeyTable {
        var table = table.handling(caps)
        if hasUnicodeEntry { table.registerUnicodeEntry() }
        return table
    }

    /// The table with the terminators written into it, so that a key press is still one look.
    ///
    /// Where there are none, what begins a scan also ends the one before it, and stands here.
    var scanTable: KeyTable {
        var table = typingTable
        let ends = marks
        for key in ends.keys { table.register(.terminator, for: key) }
        for character in ends.characters { table.replace(character, by: .terminator) }
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
        let limit = lengths.upperBound.multipliedReportingOverflow(by: perCharacter * perControl)
        guard !limit.overflow else { return .max }
        return limit.partialValue.addingClamped(
            (around + aim + codeIdentifiers.longest) * perCharacter)
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
}

extension Int {
    /// The sum, or the largest number there is.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? .max : sum.partialValue
    }
}
