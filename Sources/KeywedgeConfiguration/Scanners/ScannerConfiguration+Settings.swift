package import Barcodes
import KeyLayouts
package import Keystrokes

extension ScannerConfiguration {
    /// The settings for the assembler of this scanner.
    package var scanSettings: ScanSettings {
        var ends = Self.marks(terminators)
        // What is said of a single key goes ahead of what is said of both Enter keys.
        for (key, meaning) in keys {
            if meaning == .terminator { ends.keys.insert(key) } else { ends.keys.remove(key) }
        }
        return ScanSettings(
            table: table, caps: caps, hasAltNumpad: altNumpad, checksAltNumbers: altNumpadCheck,
            hasUnicodeEntry: unicodeEntry,
            start: Self.marks(start), terminators: ends, terminatorPause: terminatorPause,
            idleTimeout: idleTimeout, recovery: recovery, repeatWindow: repeats,
            lengths: length, encoding: encoding, prefix: prefix,
            suffix: suffix, splitsAIMIdentifier: aim,
            codeIdentifiers: codeIdentifiers.identifiers, controlNames: Set(controlNames),
            substitutes: substitutes)
    }

    private var table: KeyTable {
        var table = layout.table
        for (key, meaning) in keys { table.register(meaning.meaning, for: key) }
        return table
    }

    private static func marks(_ configured: [TerminatorConfiguration]) -> ScanSettings.Terminators {
        var result = ScanSettings.Terminators.none
        for terminator in configured {
            switch terminator {
            case .enter: result.keys.formUnion([.enter, .kpenter])
            case .tab: result.keys.insert(.tab)
            case .escape: result.keys.insert(.esc)
            case .character(let character): result.characters.insert(character)
            case .key(let key): result.keys.insert(key)
            }
        }
        return result
    }
}

extension Configuration {
    /// The decoder for what a scanner reads.
    ///
    /// - Parameter scanner: How it sends codes.
    /// - Returns: The decoder.
    package func decoder(for scanner: ScannerConfiguration) -> BarcodeDecoder {
        var settings = barcodes
        settings.content = scanner.content
        settings.upcE = scanner.upcE
        return BarcodeDecoder(settings: settings)
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
