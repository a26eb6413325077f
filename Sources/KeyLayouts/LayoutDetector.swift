public import Keystrokes

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
public struct LayoutDetector: Sendable {
    /// The ways of typing that are tried, the likely ones first.
    public let ways: [ScanSettings]

    private let events: [KeyEvent]
    private let expected: [Unicode.Scalar]
    private var found: [Group: [KeyLayout]] = [:]
    private var considered = 0
    /// Whether every character comes as its number, if it is ALT mode.
    private let hasNumbersAlone: Bool

    private struct Group: Hashable {
        let way: Int
        /// Nil where the way of typing leaves nothing to the layout.
        let ascii: ASCIIKeystrokes?
    }

    /// Prepares for one scan.
    ///
    /// - Parameters:
    ///   - events: The key events of the scan, terminator included.
    ///   - expected: The text of the scan, with or without its AIM identifier.
    ///   - ways: The ways of typing to try, the likely ones first; their tables do not count. Of two
    ///     that explain a layout's keys, the first is taken.
    public init(events: [KeyEvent], expected: String, ways: [ScanSettings]) {
        self.events = events
        self.expected = Array(expected.unicodeScalars)
        self.ways = ways
        hasNumbersAlone = ways.allSatisfy { Self.areNumbersAlone(events, $0) }
    }

    /// Prepares for one scan, with the ways that its keys speak for.
    ///
    /// Those are the ones of Caps Lock; ALT mode where Alt is pressed; and Unicode entry where
    /// Control and Shift are.
    ///
    /// - Parameters:
    ///   - events: The key events of the scan, terminator included.
    ///   - expected: The text of the scan, with or without its AIM identifier.
    ///   - settings: What is known of the scanner; its table does not count.
    public init(
        events: [KeyEvent], expected: String, settings: ScanSettings = ScanSettings()
    ) {
        self.init(
            events: events, expected: expected, ways: Self.ways(for: events, from: settings))
    }

    /// Tries a layout.
    ///
    /// - Parameter candidate: The layout.
    public mutating func consider(_ candidate: CompiledLayout) {
        considered += 1
        guard let way = ways.indices.first(where: { explains(candidate.table, ways[$0]) }) else {
            return
        }
        let isLayoutAsked = !(ways[way].hasAltNumpad && hasNumbersAlone)
        let group = Group(way: way, ascii: isLayoutAsked ? ASCIIKeystrokes(candidate.table) : nil)
        found[group, default: []].append(candidate.layout)
    }

    /// What explains the keys, the likeliest first.
    ///
    /// A simple way of typing comes before others; a layout that scanners are often set to before
    /// others, and those before variants.
    public var explanations: [LayoutExplanation] {
        let groups = found.map { group, layouts in
            (
                way: group.way, isLayoutAsked: group.ascii != nil,
                layouts: layouts.sorted { $0.rank < $1.rank }
            )
        }
        let sorted = groups.sorted { left, right in
            guard left.way == right.way, let first = left.layouts.first,
                let second = right.layouts.first
            else { return left.way < right.way }
            return first.rank < second.rank
        }
        return sorted.map { way, isLayoutAsked, layouts in
            let all = groups.filter { $0.way == way }.reduce(0) { $0 + $1.layouts.count }
            return LayoutExplanation(
                layouts: layouts, settings: ways[way],
                anyLayoutDoes: all == considered, needsNoLayout: !isLayoutAsked)
        }
    }

    private func explains(_ table: KeyTable, _ way: ScanSettings) -> Bool {
        var settings = way
        settings.table = table
        var assembler = ScanAssembler(settings: settings)
        var outcomes = events.map { assembler.feed($0) }
        outcomes.append(assembler.finish())
        outcomes.removeAll { $0 == .nothing }
        guard outcomes.count == 1, case .scan(let scan) = outcomes[0] else { return false }
        return scan.text.unicodeScalars.elementsEqual(expected)
            || ((scan.aim ?? "") + scan.text).unicodeScalars.elementsEqual(expected)
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
            $0.type != EventType.key || known.contains(KeyCode(rawValue: $0.code))
        }
    }

    private static func ways(
        for events: [KeyEvent], from settings: ScanSettings
    ) -> [ScanSettings] {
        let pressed = Set(events.filter { $0.type == EventType.key && $0.value == 1 }.map(\.code))
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
