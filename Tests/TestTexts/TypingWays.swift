package import Keystrokes

/// The ways scanners type, as settings, and the check that what is typed so is read back.
package enum TypingWays {
    /// What types the characters.
    package static let modes: [ScanSettings] = [
        ScanSettings(), ScanSettings(caps: .inverted), ScanSettings(caps: .ignore),
        ScanSettings(hasAltNumpad: true, checksAltNumbers: false),
        ScanSettings(hasUnicodeEntry: true),
        ScanSettings(encoding: .utf8), ScanSettings(encoding: .windows1252),
        ScanSettings(hasAltNumpad: true, checksAltNumbers: false, encoding: .utf8),
        ScanSettings(hasAltNumpad: true, checksAltNumbers: false, encoding: .shiftJIS),
        ScanSettings(hasAltNumpad: true, checksAltNumbers: false, encoding: .windows1252),
        ScanSettings(hasAltNumpad: true, checksAltNumbers: false, hasUnicodeEntry: true),
        ScanSettings(hasUnicodeEntry: true, encoding: .utf8),
        ScanSettings(substitutes: ["|": "\u{1D}", "~": "\u{1E}"]),
        ScanSettings(controlNames: [.angle]), ScanSettings(controlNames: [.angle, .braces]),
        ScanSettings(hasUnicodeEntry: true, controlNames: [.braces], substitutes: ["{": "é"]),
    ]

    /// Layouts on which a character takes more than one key: Caps Lock, a dead key.
    package static let layouts: [ScanSettings] = [
        ScanSettings(table: .usWithoutShift), ScanSettings(table: .usWithDeadKeys),
        ScanSettings(table: .usWithDeadKeys, hasUnicodeEntry: true),
    ]

    /// What stands around them.
    package static let frames: [@Sendable (inout ScanSettings) -> Void] = [
        { _ in },
        { $0.terminators = .init(keys: [.tab]) },
        { $0.terminators = .init(keys: [.esc]) },
        { $0.terminators = .init(characters: ["\u{4}"]) },
        { $0.terminators = .init(characters: ["#"]) },
        { $0.terminators = .none },
        { $0.terminatorPause = .milliseconds(50) },
        {
            $0.start = .init(characters: ["B"])
            $0.terminators = .init(characters: ["C"])
        },
        {
            $0.start = .enter
            $0.terminators = .none
        },
        {
            $0.prefix = "P|"
            $0.suffix = "<S>"
        },
    ]

    /// Types a text and reads it back.
    ///
    /// - Returns: What is wrong with what was read; nil where it is the text. `.untypable` where
    ///   these settings cannot type it.
    package static func check(
        _ text: String, with typist: ScanTypist, _ settings: ScanSettings
    ) -> Verdict {
        guard let events = try? typist.events(for: text) else { return .untypable }
        var assembler = ScanAssembler(settings: settings)
        let outcomes = (events.map { assembler.feed($0) } + [assembler.finish()])
            .filter { $0 != .nothing }
        guard outcomes.count == 1, case .scan(let scan) = outcomes[0],
            scan.text.unicodeScalars.elementsEqual(text.unicodeScalars)
        else {
            return .differs("\(text.debugDescription) gave \(outcomes), \(settings.inShort)")
        }
        return .readBack
    }

    /// What came of a text.
    package enum Verdict: Hashable {
        case readBack
        case untypable
        /// What was typed, what was read, and how.
        case differs(String)
    }
}

extension ScanSettings {
    /// What is set, in short.
    package var inShort: String {
        "alt \(hasAltNumpad) unicode \(hasUnicodeEntry) \(encoding) \(caps) \(controlNames)"
            + " \(substitutes) start \(start) end \(terminators) pause \(terminatorPause)"
    }
}

extension KeyTable {
    /// Capital letters take Caps Lock, for there is no other key for them.
    fileprivate static let usWithoutShift: KeyTable = {
        var table = KeyTable.us
        for key in table.keys {
            for level in KeyLevel.all where level.contains(.shift) {
                guard case .character(let scalar) = table[key, level] else { continue }
                if scalar.properties.isAlphabetic { table[key, level] = .unknown }
            }
        }
        return table
    }()

    /// The apostrophe key is dead: with e it gives é, twice and then e gives ê.
    fileprivate static let usWithDeadKeys: KeyTable = {
        var table = KeyTable.us
        let acute = DeadKey(rawValue: 0xFE51)
        let both = DeadKey(rawValue: 1)
        for level in KeyLevel.all where level.isDisjoint(with: [.shift, .control]) {
            table[.apostrophe, level] = .dead(acute)
        }
        table.register([
            DeadKeyPair(acute, .character("e"), gives: .character("é")),
            DeadKeyPair(acute, .character("E"), gives: .character("É")),
            DeadKeyPair(acute, .dead(acute), gives: .dead(both)),
            DeadKeyPair(both, .character("e"), gives: .character("ê")),
        ])
        return table
    }()
}
