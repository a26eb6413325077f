package import Barcodes
import Events
package import Keystrokes
package import KeywedgeConfiguration

/// Shows what a scanner types, key by key, and what is made of it: what an installer needs to see
/// that a layout, a terminator or a pause is set wrongly.
///
/// Key events go in, lines for people come out. Keys are shown as they come, before anybody can
/// know what they will add up to: those of a payment card too. Only the line that sums a scan up
/// leaves such content out.
///
/// ```swift
/// var monitor = ScanMonitor(scanner: scanner, decoder: BarcodeDecoder())
/// for event in events { monitor.feed(event).forEach { print($0) } }
/// ```
package struct ScanMonitor: Sendable {
    private let summary: ScanSummary
    private var assembler: ScanAssembler
    private var detector = SensitiveContentDetector()
    private var keys = ObservedKeys()
    private var lastPressMicroseconds: Int64?
    /// The key that is known to repeat, so that it is said once.
    private var repeating: KeyCode?

    /// Makes a monitor for one scanner.
    ///
    /// - Parameters:
    ///   - scanner: How the scanner is set up to type.
    ///   - decoder: Decodes what it reads.
    package init(scanner: ScannerConfiguration, decoder: BarcodeDecoder) {
        summary = ScanSummary(scanner: scanner, decoder: decoder)
        assembler = ScanAssembler(settings: scanner.scanSettings)
    }

    /// The heading of the lines about keys.
    package static let heading = KeyLine.heading

    /// When ``advance(to:)`` has something to do, in microseconds; nil while no scan is in progress.
    package var deadlineMicroseconds: Int64? { assembler.deadlineMicroseconds }

    /// Takes one input event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The lines it gives: one for a key that was pressed, and those that sum up a scan
    ///   which the event, or the pause before it, ends.
    package mutating func feed(_ event: KeyEvent) -> [String] {
        switch (event.type, event.code, event.value) {
        case (InputEventType.key, let code, 1): press(KeyCode(rawValue: code), event)
        case (InputEventType.key, let code, 0): release(KeyCode(rawValue: code), event)
        case (InputEventType.key, let code, _): noteRepeat(of: KeyCode(rawValue: code))
        case (InputEventType.syn, SynCode.dropped, _): lose(event)
        default: lines(of: assembler.feed(event))
        }
    }

    /// Tells the time, so that an idle scan ends although no key comes.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    /// - Returns: The lines that sum up the scan the pause ends; else none.
    package mutating func advance(to microseconds: Int64) -> [String] {
        lines(of: assembler.advance(to: microseconds))
    }

    /// The scanner went away.
    ///
    /// - Parameter microseconds: The time now, on the clock of the events.
    /// - Returns: The lines that sum up what was in progress; else none.
    package mutating func disconnect(at microseconds: Int64) -> [String] {
        lines(of: assembler.disconnect(at: microseconds))
    }
}

extension ScanMonitor {
    private mutating func press(_ key: KeyCode, _ event: KeyEvent) -> [String] {
        // The pause before the key ends a scan, and modifiers with it, before the key counts.
        let earlier = advance(to: event.microseconds)
        repeating = nil
        let gap = lastPressMicroseconds.map { event.microseconds.span(since: $0) }
        lastPressMicroseconds = event.microseconds
        guard let reading = assembler.reading(of: key) else {
            return earlier + lines(of: assembler.feed(event))
        }
        let isFirst = assembler.deadlineMicroseconds == nil
        keys.note(key, reading, gap: isFirst ? nil : gap)
        let line = KeyLine(key: key, reading: reading, gap: gap).text
        return earlier + [line] + lines(of: assembler.feed(event))
    }

    private mutating func release(_ key: KeyCode, _ event: KeyEvent) -> [String] {
        if repeating == key { repeating = nil }
        return lines(of: assembler.feed(event))
    }

    private mutating func noteRepeat(of key: KeyCode) -> [String] {
        guard repeating != key else { return [] }
        repeating = key
        return [KeyLine.note("\(key) repeats: it is held down, and counts once")]
    }

    private mutating func lose(_ event: KeyEvent) -> [String] {
        [KeyLine.note("keys were lost: the kernel's buffer was full")]
            + lines(of: assembler.feed(event))
    }

    private mutating func lines(of outcome: ScanAssembler.Outcome) -> [String] {
        switch outcome {
        case .nothing:
            return []
        case .scan(let scan):
            defer { keys = ObservedKeys() }
            if let content = detector.inspect(scan.text, aim: scan.aim) {
                return summary.lines(of: content, keys)
            }
            return summary.lines(of: scan, keys)
        case .rejection(let rejection):
            defer { keys = ObservedKeys() }
            if let content = detector.inspect(rejection.text) {
                return summary.lines(of: content, keys)
            }
            return summary.lines(of: rejection, keys)
        }
    }
}

/// What was seen of the keys of one scan.
struct ObservedKeys: Sendable {
    /// The last key.
    private(set) var last: KeyReading?
    private(set) var lastKey: KeyCode?
    /// The longest pause between two keys, in microseconds.
    private(set) var longestGap: Int64 = 0

    mutating func note(_ key: KeyCode, _ reading: KeyReading, gap: Int64?) {
        last = reading
        lastKey = key
        longestGap = max(longestGap, gap ?? 0)
    }

    /// The key that ended the scan; nil where a pause did.
    var terminator: KeyCode? { last?.meaning == .terminator ? lastKey : nil }
}

extension Int64 {
    /// The microseconds from an earlier time; a clock that stepped back counts 0.
    fileprivate func span(since earlier: Int64) -> Int64 {
        let span = subtractingReportingOverflow(earlier)
        return span.overflow ? 0 : Swift.max(0, span.partialValue)
    }
}
