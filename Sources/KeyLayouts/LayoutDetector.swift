package import Keystrokes

/// Finds the layouts, and the ways of typing, that explain the keys of a scan whose text is known.
///
/// Layouts are shown to it one by one and not kept, so that all that XKB knows can be tried in
/// little memory. Each is tried through a ``ScanAssembler``: what is found here is what a scanner
/// configured so will read.
///
/// ```swift
/// var detector = LayoutDetector(events: events, expected: "ABC]123")
/// for entry in registry.entries { detector.consider(try compiler.compile(entry.layout)) }
/// detector.explanations
/// ```
package struct LayoutDetector: Sendable {
    /// The ways of typing that are tried, the likely ones first.
    package let ways: [ScanSettings]

    private let events: [KeyEvent]
    private let expected: [Unicode.Scalar]
    private var found: [Group: [KeyLayout]] = [:]
    private var considered = 0
    /// Whether every character comes as its number, if it is ALT mode.
    private let hasNumbersAlone: Bool

    private struct Group: Hashable {
        let way: Int
        let reading: Reading
        /// Nil where the way of typing leaves nothing to the layout.
        let ascii: ASCIIKeystrokes?
    }

    /// What else than the layout explains that a scan is of the text expected.
    private struct Reading: Hashable {
        /// The AIM identifier ahead of it.
        let aim: String?
        /// The character that stands for GS; nil where GS does, or is not in the text.
        let separator: Unicode.Scalar?
    }

    /// Prepares for one scan.
    ///
    /// - Parameters:
    ///   - events: The key events of the scan, terminator included.
    ///   - expected: The text of the scan, with or without its AIM identifier.
    ///   - ways: The ways of typing to try, the likely ones first; their tables do not count. Of two
    ///     that explain a layout's keys, the first is taken.
    package init(events: [KeyEvent], expected: String, ways: [ScanSettings]) {
        self.events = events
        self.expected = Array(expected.unicodeScalars)
        self.ways = ways
        hasNumbersAlone = ways.allSatisfy { Self.areNumbersAlone(events, $0) }
    }

    /// Prepares for one scan, with the ways that its keys speak for.
    ///
    /// Those are the ones of Caps Lock; ALT mode where Alt is pressed; Unicode entry where Control
    /// and Shift are; and, where the text has a GS, those of spelling it out.
    ///
    /// - Parameters:
    ///   - events: The key events of the scan, terminator included.
    ///   - expected: The text of the scan, with or without its AIM identifier.
    ///   - settings: What is known of the scanner; its table does not count.
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
        self.init(events: events, expected: expected, ways: ways)
    }

    /// Tries a layout.
    ///
    /// - Parameter candidate: The layout.
    package mutating func consider(_ candidate: CompiledLayout) {
        considered += 1
        for way in ways.indices {
            guard let reading = reading(candidate.table, ways[way]) else { continue }
            let isLayoutAsked = !(ways[way].hasAltNumpad && hasNumbersAlone)
            let group = Group(
                way: way, reading: reading,
                ascii: isLayoutAsked ? ASCIIKeystrokes(candidate.table) : nil)
            found[group, default: []].append(candidate.layout)
            return
        }
    }

    /// What explains the keys, the likeliest first.
    ///
    /// A simple way of typing comes before others, and GS as it is before another character for it; a
    /// layout that scanners are often set to before others, and those before variants.
    package var explanations: [LayoutExplanation] {
        let groups = found.map { group, layouts in
            (
                way: group.way, reading: group.reading, isLayoutAsked: group.ascii != nil,
                layouts: layouts.sorted { $0.rank < $1.rank }
            )
        }
        let sorted = groups.sorted { left, right in
            let (isLeft, isRight) = (left.reading.separator == nil, right.reading.separator == nil)
            if left.way == right.way, isLeft != isRight { return isLeft }
            guard left.way == right.way, let first = left.layouts.first,
                let second = right.layouts.first
            else { return left.way < right.way }
            return first.rank < second.rank
        }
        return sorted.map { way, reading, isLayoutAsked, layouts in
            let all = groups.filter { $0.way == way }.reduce(0) { $0 + $1.layouts.count }
            var settings = ways[way]
            if let separator = reading.separator {
                settings.substitutes[separator] = Self.groupSeparator
            }
            return LayoutExplanation(
                layouts: layouts, settings: settings,
                anyLayoutDoes: all == considered, needsNoLayout: !isLayoutAsked, aim: reading.aim)
        }
    }

    private static let groupSeparator: Unicode.Scalar = "\u{1D}"

    /// How the keys are the text expected, on a layout and in a way; nil where they are another.
    private func reading(_ table: KeyTable, _ way: ScanSettings) -> Reading? {
        var settings = way
        settings.table = table
        var assembler = ScanAssembler(settings: settings)
        var outcomes = events.map { assembler.feed($0) }
        outcomes.append(assembler.finish())
        outcomes.removeAll { $0 == .nothing }
        guard outcomes.count == 1, case .scan(let scan) = outcomes[0] else { return nil }
        guard
            let separator = separator(in: scan.text)
                ?? scan.aim.flatMap({ separator(in: $0 + scan.text) })
        else { return nil }
        return Reading(
            aim: scan.aim, separator: separator == Self.groupSeparator ? nil : separator)
    }

    /// What stands in a text wherever the one expected has GS, and nowhere else.
    ///
    /// - Returns: Nil where the two texts differ otherwise, and where it is a letter or a digit.
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
    /// Whether no key is pressed but those of numbers, of Alt and Num Lock around them, and of the
    /// scan's start and end.
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
        // A Caps Lock that the letters do not follow has no say; one that is on for good is not
        // pressed. Both would explain a single scan, and only one the next.
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
    /// Sorts the common ones ahead, then layouts ahead of variants, both by name.
    fileprivate var rank: (Int, Int, String) {
        let common = Self.commonOnScanners.firstIndex(of: self) ?? Self.commonOnScanners.count
        return (common, variant == nil ? 0 : 1, description)
    }
}

extension LayoutDetector {
    /// What the calibration symbols hold: characters that tell any two layouts apart which type
    /// ASCII otherwise.
    ///
    /// Found by trying which character separates the most layouts, among those of xkb-data 2.35
    /// that type a to z: 24 characters separate all 250 that differ. The small letter tells what
    /// Caps Lock does.
    package static let calibrationText = "CDFIJQVXYZa07-;<>)]$&^|'\"~`"
}
