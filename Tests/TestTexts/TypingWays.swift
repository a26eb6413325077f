package import Keystrokes

/// Settings for the ways in which scanners type, and a check that a typed text is read back.
package enum TypingWays {
    /// Settings for different ways to type characters.
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

    /// Settings with layouts on which some characters need more than one key, such as Caps Lock or a dead key.
    package static let layouts: [ScanSettings] = [
        ScanSettings(table: .usWithoutShift), ScanSettings(table: .usWithDeadKeys),
        ScanSettings(table: .usWithDeadKeys, hasUnicodeEntry: true),
    ]

    /// Changes to the settings that add different starts, terminators, prefixes and suffixes.
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

    /// The result of typing a text and reading it back.
    package enum Verdict: Hashable {
        /// The text came back unchanged.
        case readBack
        /// The text cannot be typed with these settings.
        case untypable
        /// Something else came back: a description of the text, the outcomes and the settings.
        case differs(String)
    }
}

extension ScanSettings {
    /// A short description of the settings.
    package var inShort: String {
        "alt \(hasAltNumpad) unicode \(hasUnicodeEntry) \(encoding) \(caps) \(controlNames)"
            + " \(substitutes) start \(start) end \(terminators) pause \(terminatorPause)"
    }
}

extension KeyTable {
    /// The US layout, but capital letters can be typed only with Caps Lock.
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

    /// The US layout with a dead apostrophe key: pressed before `e` it types `é`, pressed twice before `e` it types
    /// `ê`.
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
