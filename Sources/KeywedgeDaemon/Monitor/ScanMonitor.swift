package import Barcodes
import Events
package import Keystrokes
package import KeywedgeConfiguration
package import ScannerInput
import WireText

/// A monitor of a scanner's keys and scans, which lets an installer detect a wrong layout, terminator or pause.
///
/// The output is text for people or JSON for programs, and shows what the daemon would do. The summary of a scan omits
/// personal content, such as a payment card's number, but the lines about its keys do not.
/// ```swift
/// var monitor = ScanMonitor(scanner: scanner, decoder: BarcodeDecoder())
/// for event in events { monitor.feed(event).forEach { print($0) } }
/// ```
package struct ScanMonitor: Sendable {
    private let summary: ScanSummary
    private let isJSON: Bool
    private var input: InterfaceAssembler
    private var detector: SensitiveContentDetector
    private var keys = ObservedKeys()
    private var lastPressMicroseconds: Int64?
    /// The held keys whose repetition has already been reported.
    private var repeating: Set<KeyCode> = []
    /// Whether keys were lost, and no key press has been shown since then.
    ///
    /// If so, any key that repeats now was pressed before the loss.
    private var hasJustLostKeys = false

    /// Creates a monitor for one scanner; its summaries omit the kinds of content that `hidden` lists.
    package init(
        scanner: ScannerConfiguration, decoder: BarcodeDecoder, isJSON: Bool = false,
        interface: ScannerInterface = .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true)),
        hidden: HiddenContent = HiddenContent()
    ) {
        self.isJSON = isJSON
        detector = SensitiveContentDetector(hiding: hidden)
        summary = ScanSummary(scanner: scanner, decoder: decoder, types: interface.keys != nil)
        input = InterfaceAssembler(interface, settings: scanner.scanSettings)
    }

    package var heading: [String] { isJSON ? [] : [KeyLine.heading] }

    /// When to call ``advance(to:)`` next, in microseconds; nil if no scan is in progress.
    package var deadlineMicroseconds: Int64? { assembler.deadlineMicroseconds }

    private var assembler: ScanAssembler {
        get { input.scans }
        set { input.scans = newValue }
    }

    /// Returns the output lines for an event; for a byte or an HID report, the first line shows its data.
    package mutating func feed(_ event: DeviceEvent) -> [String] {
        let (kind, data): (String, String)
        switch event {
        case .key(let event): return feed(event)
        case .byte(let byte, _): (kind, data) = ("byte", [byte].hexadecimal)
        case .report(let bytes, _):
            (kind, data) = ("report", bytes.map { [$0].hexadecimal }.joined(separator: " "))
        }
        let gap = lastPressMicroseconds.map { event.microseconds.span(since: $0) }
        lastPressMicroseconds = event.microseconds
        if assembler.deadlineMicroseconds != nil { keys.note(gap: gap) }
        var outcomes: [ScanAssembler.Outcome] = []
        input.feed(event) { outcomes.append($0) }
        let line = self.line(
            KeyLine.row(KeyLine.pause(gap), "\(kind) \(data)"),
            [kind: .string(data), "pause_us": .time(gap)])
        return [line] + outcomes.flatMap { lines(of: $0) }
    }

    /// Returns the lines to print for a key event, including the summary of a scan that has ended.
    package mutating func feed(_ event: KeyEvent) -> [String] {
        switch (event.type, event.code, event.value) {
        case (InputEventType.key, let code, 1): return press(KeyCode(rawValue: code), event)
        case (InputEventType.key, let code, 0):
            repeating.remove(KeyCode(rawValue: code))
            return lines(of: assembler.feed(event))
        case (InputEventType.key, let code, _):
            return noteRepeat(of: KeyCode(rawValue: code), event)
        case (InputEventType.syn, SynCode.dropped, _): return lose(event)
        default: return lines(of: assembler.feed(event))
        }
    }

    /// Advances the time to `microseconds`; returns the summary of a scan that times out, if any.
    package mutating func advance(to microseconds: Int64) -> [String] {
        lines(of: assembler.advance(to: microseconds))
    }

    /// Ends the scan in progress, if any, and returns its summary.
    package mutating func disconnect(at microseconds: Int64) -> [String] {
        lines(of: assembler.disconnect(at: microseconds))
    }
}

extension ScanMonitor {
    private mutating func press(_ key: KeyCode, _ event: KeyEvent) -> [String] {
        // The pause before a key can end a scan and release its modifiers, so process the pause first.
        let earlier = advance(to: event.microseconds)
        repeating = []
        let gap = lastPressMicroseconds.map { event.microseconds.span(since: $0) }
        lastPressMicroseconds = event.microseconds
        guard let reading = assembler.reading(of: key) else {
            return earlier + lines(of: assembler.feed(event))
        }
        hasJustLostKeys = false
        let isFirst = assembler.deadlineMicroseconds == nil
        keys.note(key, reading, gap: isFirst ? nil : gap)
        let line = KeyLine(key: key, reading: reading, gap: gap)
        return earlier + [self.line(line.text, line.json)] + lines(of: assembler.feed(event))
    }

    private mutating func noteRepeat(of key: KeyCode, _ event: KeyEvent) -> [String] {
        let isSeen = assembler.reading(of: key) != nil
        let ended = lines(of: assembler.feed(event))
        guard isSeen, repeating.insert(key).inserted else { return ended }
        let note =
            hasJustLostKeys
            ? "\(key) is still held" : "\(key) repeats: it is held down, and counts once"
        return ended + [self.note(note)]
    }

    private mutating func lose(_ event: KeyEvent) -> [String] {
        repeating = []
        hasJustLostKeys = true
        return [note("keys were lost: the kernel's buffer was full")]
            + lines(of: assembler.feed(event))
    }

    private func note(_ text: String) -> String {
        line(KeyLine.row("", text), ["note": .string(text)])
    }

    private func line(_ text: String, _ object: JSONObject) -> String {
        isJSON ? JSONWriter.text(of: .object(object)) : text
    }

    /// Returns `lines` or, for JSON, a single line: `object` with all lines but the first as its `details`.
    private func summed(_ lines: [String], _ object: JSONObject) -> [String] {
        guard isJSON else { return lines }
        var object = object
        let details = lines.dropFirst().map { JSONValue.string(String($0.drop { $0 == " " })) }
        object.append("details", .array(details))
        return [JSONWriter.text(of: .object(object))]
    }

    private mutating func lines(of outcome: ScanAssembler.Outcome) -> [String] {
        switch outcome {
        case .nothing:
            return []
        case .scan(let scan):
            defer { keys = ObservedKeys() }
            let barcode = summary.decoder.decode(scan.text, aim: scan.aim)
            let times = (scan.startMicroseconds, scan.endMicroseconds)
            if let content = detector.inspect(barcode, at: times) {
                return summed(summary.lines(of: content), content.json)
            }
            return summed(
                summary.lines(of: scan, barcode, keys),
                [
                    "scan": .string(scan.text), "aim": scan.aim.map { .string("\($0)") } ?? .null,
                    "symbology": barcode.symbology.map { .string($0.rawValue) } ?? .null,
                    "kind": .string(barcode.kind.rawValue),
                    "gtin": barcode.gtin.map { .string($0.text) } ?? .null,
                ])
        case .rejection(let rejection):
            defer { keys = ObservedKeys() }
            let times = (rejection.startMicroseconds, rejection.endMicroseconds)
            if let content = detector.inspectFragment(rejection.text, at: times) {
                return summed(summary.lines(of: content), content.json)
            }
            return summed(
                summary.lines(of: rejection, keys),
                [
                    "rejected": .string(rejection.reason.rawValue),
                    "read": .string(rejection.text),
                ])
        }
    }
}

struct ObservedKeys: Sendable {
    /// The longest pause between two keys, in microseconds.
    private(set) var longestGap: Int64 = 0
    /// The key that ended the scan; nil if a pause ended it.
    private(set) var terminator: KeyCode?

    mutating func note(_ key: KeyCode, _ reading: KeyReading, gap: Int64?) {
        terminator = reading.meaning == .terminator ? key : nil
        note(gap: gap)
    }

    mutating func note(gap: Int64?) { longestGap = max(longestGap, gap ?? 0) }
}

/// The line that `keywedge monitor` prints for a key press.
struct KeyLine {
    let key: KeyCode
    let reading: KeyReading
    /// The time since the previous key press, in microseconds; nil for the first one.
    let gap: Int64?

    static let heading = row("pause", padded("key", to: 18) + padded("held", to: 12) + "types")

    var text: String {
        let columns = Self.padded(key.name, to: 18) + Self.padded(held, to: 12) + meaning
        return Self.row(Self.pause(gap), columns)
    }

    var json: JSONObject {
        var object: JSONObject = [
            "key": .string(key.name), "held": .string(held), "pause_us": .time(gap),
        ]
        if case .character(let character) = reading.meaning {
            object.append("types", .string(String(character)))
        } else {
            object.append("meaning", .string(meaning))
        }
        return object
    }

    /// Returns a line with two columns: the pause, which may be empty, and the text.
    static func row(_ pause: String, _ text: String) -> String {
        String(repeating: " ", count: max(0, 10 - pause.utf8.count)) + pause + "  " + text
    }

    static func pause(_ gap: Int64?) -> String { gap.map { Duration.microseconds($0).text } ?? "-" }

    private var held: String {
        var names: [String] = []
        for name in reading.modifiers.map(\.name) where !names.contains(name) { names.append(name) }
        if reading.locks.contains(.caps) { names.append("Caps") }
        return names.joined(separator: "+")
    }

    private var meaning: String {
        switch reading.meaning {
        case .unknown: "unknown"
        case .ignored: "ignored"
        case .character(let character): String(character).quoted()
        case .terminator: "ends the scan"
        case .modifier: "modifier"
        case .capsLock: "Caps Lock"
        case .dead: "dead key"
        case .unicodeEntry: "begins a number"
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}

extension SensitiveContent {
    fileprivate var json: JSONObject {
        ["redacted": .string(kind.rawValue), "length": .integer(Int64(length))]
    }
}

extension JSONValue {
    fileprivate static func time(_ microseconds: Int64?) -> JSONValue {
        microseconds.map(JSONValue.integer) ?? .null
    }
}
