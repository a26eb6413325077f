package import Keystrokes

/// A search for the layouts and typing settings with which the keys of a scan type a known text.
///
/// It examines one layout at a time and does not store the layout's table, so trying all XKB layouts takes little
/// memory. It reads the keys with a ``ScanAssembler``, as the daemon does.
///
/// ```swift
/// var detector = LayoutDetector(events: events, expected: "ABC]123")
/// for entry in registry.entries { detector.consider(try compiler.compile(entry.layout)) }
/// detector.explanations
/// ```
package struct LayoutDetector: Sendable {
    /// The settings to try, the most likely first.
    private let ways: [ScanSettings]

    private let events: [KeyEvent]
    private let expected: [Unicode.Scalar]
    private var found: [Group: [KeyLayout]] = [:]
    private var considered = 0
    /// Whether every character was typed as a number in ALT mode, so the layout does not matter.
    private let hasNumbersAlone: Bool

    /// The values that layouts must share to be listed in the same ``LayoutExplanation``.
    private struct Group: Hashable {
        let way: Int
        let aim: String?
        /// The character typed in place of GS; nil if GS itself was typed, or if the text contains no GS.
        let separator: Unicode.Scalar?
        /// The keystrokes for each ASCII character; the array is nil if the layout does not matter.
        let keystrokes: [[Typist.Keystroke]?]?
    }

    /// Creates a detector for the key events of a scan and the text that was scanned.
    ///
    /// The events include those of the terminator, and the text may include the AIM identifier. The scanner's known
    /// settings are in `settings`, whose table is ignored. The detector always tries different effects of Caps Lock. It
    /// tries ALT mode if Alt was pressed, Unicode entry if Control and Shift were pressed, and spelled-out control
    /// characters if the text contains GS.
    package init(
        events: [KeyEvent], expected: String, settings: ScanSettings = ScanSettings()
    ) {
        var ways = Self.ways(for: events, from: settings)
        if expected.unicodeScalars.contains(Self.groupSeparator) {
            ways += ControlNames.allCases.flatMap { names in
                ways.map { way in
                    var way = way
                    way.controlNames = [names]
                    return way
                }
            }
        }
        self.events = events
        self.expected = Array(expected.unicodeScalars)
        self.ways = ways
        hasNumbersAlone = ways.allSatisfy { Self.areNumbersAlone(events, $0) }
    }

    package mutating func consider(_ candidate: CompiledLayout) {
        considered += 1
        for way in ways.indices {
            guard let group = group(way, candidate.table) else { continue }
            found[group, default: []].append(candidate.layout)
            return
        }
    }

    /// The layouts and settings that explain the keys, the most likely first.
    ///
    /// Explanations with simpler settings come first. Ties are broken in this order: GS itself before a
    /// substitute for it, common scanner layouts before others, and layouts without a variant before variants.
    package var explanations: [LayoutExplanation] {
        let all = found.map { group, layouts in
            (group: group, layouts: layouts.sorted { $0.rank < $1.rank })
        }
        let sorted = all.sorted {
            Self.rank($0.group, $0.layouts) < Self.rank($1.group, $1.layouts)
        }
        return sorted.map { group, layouts in
            let count = all.filter { $0.group.way == group.way }.map(\.layouts.count).reduce(0, +)
            var settings = ways[group.way]
            if let separator = group.separator {
                settings.substitutes[separator] = Self.groupSeparator
            }
            return LayoutExplanation(
                layouts: layouts, settings: settings, anyLayoutDoes: count == considered,
                needsNoLayout: group.keystrokes == nil, aim: group.aim)
        }
    }

    private static func rank(
        _ group: Group, _ layouts: [KeyLayout]
    ) -> (Int, Int, Int, Int, String) {
        let (common, variant, name) = layouts.first?.rank ?? (0, 0, "")
        return (group.way, group.separator == nil ? 0 : 1, common, variant, name)
    }

    private static let groupSeparator: Unicode.Scalar = "\u{1D}"

    /// The text of the calibration symbols; it distinguishes all layouts that type ASCII differently.
    ///
    /// A search through the 250 different layouts of xkb-data 2.35 that type a to z showed that 24 characters are
    /// enough. The lower-case letter shows the effect of Caps Lock.
    package static let calibrationText = "CDFIJQVXYZa07-;<>)]$&^|'\"~`"

    /// Returns a layout's ``Group`` with `ways[way]`; nil if the keys do not type the expected text (GS may differ).
    private func group(_ way: Int, _ table: KeyTable) -> Group? {
        var settings = ways[way]
        settings.table = table
        var assembler = ScanAssembler(settings: settings)
        var outcomes = events.map { assembler.feed($0) }
        outcomes.append(assembler.finish())
        outcomes.removeAll { $0 == .nothing }
        guard outcomes.count == 1, case .scan(let scan) = outcomes[0],
            let separator = separator(in: scan.text)
                ?? scan.aim.flatMap({ separator(in: $0 + scan.text) })
        else { return nil }
        let typist = Typist(table: table)
        let needsNoLayout = settings.hasAltNumpad && hasNumbersAlone
        return Group(
            way: way, aim: scan.aim,
            separator: separator == Self.groupSeparator ? nil : separator,
            keystrokes: needsNoLayout
                ? nil : (UInt8(0)...0x7F).map { typist.keystrokes(for: Unicode.Scalar($0)) })
    }

    /// Returns the character that `text` has wherever `expected` has GS; returns GS if `expected` has none.
    ///
    /// Returns nil if the texts differ in any other way, or if the character is alphanumeric or occurs anywhere else.
    private func separator(in text: String) -> Unicode.Scalar? {
        guard text.unicodeScalars.count == expected.count else { return nil }
        let pairs = zip(text.unicodeScalars, expected)
        let separator = pairs.first { $1 == Self.groupSeparator }?.0 ?? Self.groupSeparator
        guard !separator.properties.isAlphabetic, separator.properties.numericType == nil,
            pairs.allSatisfy({ ($0 == separator) == ($1 == Self.groupSeparator) }),
            pairs.allSatisfy({ $0 == $1 || $1 == Self.groupSeparator })
        else { return nil }
        return separator
    }
}

extension LayoutDetector {
    /// Whether the events contain only keys of ALT mode (Alt, Num Lock, keypad digits), start and terminator keys.
    private static func areNumbersAlone(_ events: [KeyEvent], _ settings: ScanSettings) -> Bool {
        let around: Set<KeyCode> = [.leftalt, .rightalt, .numlock]
        let known = around.union(AltNumber.keys).union(settings.start.keys)
            .union(settings.terminators.keys)
        return events.allSatisfy {
            $0.type != InputEventType.key || known.contains(KeyCode(rawValue: $0.code))
        }
    }

    private static func ways(
        for events: [KeyEvent], from settings: ScanSettings
    ) -> [ScanSettings] {
        let pressed = Set(
            events.filter { $0.type == InputEventType.key && $0.value == 1 }.map(\.code))
        func isPressed(_ keys: KeyCode...) -> Bool {
            keys.contains { pressed.contains($0.rawValue) }
        }
        let hasAlt = isPressed(.leftalt, .rightalt)
        let hasEntry = isPressed(.leftctrl, .rightctrl) && isPressed(.leftshift, .rightshift)
        // A pressed Caps Lock either changes the case of letters or is ignored by the scanner. A Caps Lock that is
        // always on is not pressed.
        let caps: [CapsHandling] =
            isPressed(.capslock) ? [.track, .ignore, .inverted] : [.track, .inverted]
        var ways: [ScanSettings] = []
        for entry in hasEntry ? [false, true] : [false] {
            for alt in hasAlt ? [false, true] : [false] {
                for caps in caps {
                    var way = settings
                    way.caps = caps
                    way.hasAltNumpad = alt
                    way.hasUnicodeEntry = entry
                    ways.append(way)
                }
            }
        }
        return ways
    }
}

extension KeyLayout {
    fileprivate var rank: (Int, Int, String) {
        let common = Self.commonOnScanners.firstIndex(of: self) ?? Self.commonOnScanners.count
        return (common, variant == nil ? 0 : 1, description)
    }
}

/// Layouts and typing settings that explain the keys of a scan.
package struct LayoutExplanation: Hashable, Sendable {
    /// Layouts with which the scanned keys type the expected text; if one of them suits the scanner, all do.
    ///
    /// Layouts that are common on scanners come first, then layouts without a variant. Unless ``needsNoLayout`` is
    /// true, all of them type ASCII with the same keystrokes, but other keystrokes may differ.
    package let layouts: [KeyLayout]
    /// The settings that explain the keys, such as those for Caps Lock and ALT mode.
    ///
    /// Ignore their ``ScanSettings/table``: it does not belong to ``layouts``.
    package let settings: ScanSettings
    /// Whether every examined layout explains the keys with these settings (ignoring substitutes), so none stands out.
    package let anyLayoutDoes: Bool
    /// Whether every character was typed as its number in ALT mode, so the layout does not matter.
    package let needsNoLayout: Bool
    package let aim: String?
}
