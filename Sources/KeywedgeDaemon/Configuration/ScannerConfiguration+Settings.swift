public import Keystrokes

extension ScannerConfiguration {
    /// The settings for the assembler of this scanner.
    public var scanSettings: ScanSettings {
        var table = KeyTable.us
        for (key, meaning) in keys { table.register(meaning.meaning, for: key) }
        return ScanSettings(
            table: table, terminators: keyTerminators, idleTimeout: idleTimeout, lengths: length,
            prefix: prefix, suffix: suffix, splitsAIMIdentifier: aim)
    }

    private var keyTerminators: ScanSettings.Terminators {
        var result = ScanSettings.Terminators.none
        for terminator in terminators {
            switch terminator {
            case .enter: result.keys.formUnion([.enter, .kpenter])
            case .tab: result.keys.insert(.tab)
            case .escape: result.keys.insert(.esc)
            case .character(let character): result.characters.insert(character)
            case .key(let key): result.keys.insert(key)
            }
        }
        for (key, meaning) in keys where meaning == .terminator { result.keys.insert(key) }
        return result
    }
}

extension KeyConfiguration {
    /// What the key means in a table.
    var meaning: KeyMeaning {
        switch self {
        case .character(let character): .character(character)
        case .ignore: .ignored
        case .terminator: .terminator
        }
    }
}
