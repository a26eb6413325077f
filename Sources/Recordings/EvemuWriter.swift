package import Keystrokes
internal import WireText

/// A writer for a recording in evemu's format 1.3, which `evemu-play` and `evemu-device` accept.
///
/// ```swift
/// var writer = EvemuWriter(device: device)
/// writer.appendHeader(to: &bytes)
/// for event in events { writer.append(event, to: &bytes) }
/// ```
///
/// Rule: evemu's README, "Device Description Format" and "Event Data Format".
package struct EvemuWriter: Sendable {
    private let device: DeviceIdentity
    private let keys: Set<KeyCode>
    private let startsAtZero: Bool
    /// The recorded time, in microseconds, that is written as 0; nil before the first event.
    private var start: Int64?
    private var lastMillisecond: Int64 = 0

    /// The keys of a full keyboard, from `KEY_ESC` to `KEY_MICMUTE`.
    package static let keyboard: [KeyCode] = (1...248).map { KeyCode(rawValue: $0) }

    /// Creates a writer for the events of a device that has these keys.
    ///
    /// Control characters in the device's name are escaped, because evemu reads the name as one line; a missing name is
    /// written as `unknown`. With `startsAtZero`, times count from the first event.
    package init(
        device: DeviceIdentity, keys: [KeyCode] = Self.keyboard, startsAtZero: Bool = false
    ) {
        self.device = device
        self.keys = Set(keys.filter { $0.rawValue <= KeyCode.highest })
        self.startsAtZero = startsAtZero
    }

    package func appendHeader(to output: inout [UInt8]) {
        let name = device.name.map { Escaping.line.escaped($0) } ?? ""
        let numbers = [device.bus, device.vendor, device.product, device.version]
            .map(\.fourHexDigits).joined(separator: " ")
        let bits = Set(keys.map { Int($0.rawValue) })
        let keyMasks = stride(from: 0, through: Int(KeyCode.highest), by: 64)
            .map { "B: 01" + Self.mask(bits, from: $0) }
        let lines =
            [
                "# EVEMU 1.3", "N: \(name.isEmpty ? "unknown" : name)", "I: \(numbers)",
                "P:" + Self.mask([], from: 0), "B: 00 0b 00 00 00 00 00 00 00",
            ] + keyMasks + ["B: 04" + Self.mask([4], from: 0)]
        for line in lines { output.append(contentsOf: "\(line)\n".utf8) }
    }

    /// Appends an event; a time before 0 or after ``LineCursor/latest`` becomes the nearest valid time.
    package mutating func append(_ event: KeyEvent, to output: inout [UInt8]) {
        let time = writtenTime(event.microseconds)
        let micros = (time % 1_000_000).padded(to: 6)
        let (type, code) = (event.type.fourHexDigits, event.code.fourHexDigits)
        let sign = event.value < 0 ? "-" : ""
        let value = sign + event.value.magnitude.padded(to: 4 - sign.utf8.count)
        let comment = comment(on: event, at: time / 1000)
        let line = "E: \(time / 1_000_000).\(micros) \(type) \(code) \(value)\t# \(comment)\n"
        output.append(contentsOf: line.utf8)
    }

    private mutating func writtenTime(_ microseconds: Int64) -> Int64 {
        let start = startsAtZero ? self.start ?? microseconds : 0
        self.start = start
        if microseconds <= start { return 0 }
        // The difference is positive, so it overflows only beyond the latest time that a recording can contain.
        let (elapsed, overflows) = microseconds.subtractingReportingOverflow(start)
        return overflows ? LineCursor.latest : min(elapsed, LineCursor.latest)
    }

    private mutating func comment(on event: KeyEvent, at millisecond: Int64) -> String {
        if event.type == InputEventType.syn {
            let delta = millisecond - lastMillisecond
            lastMillisecond = millisecond
            let known = LineCursor.synNames.first { $0.code == event.code }
            let name = known.map { "\($0.name)" } ?? "SYN_\(event.code)"
            return "------------ \(name) (\(event.value)) ---------- "
                + (delta < 0 ? "" : "+") + "\(delta)ms"
        }
        let type = Self.typeNames[event.type] ?? "EV_" + String(event.type)
        let code = codeName(event)
        let padding = String(repeating: " ", count: max(0, 20 - code.utf8.count))
        return "\(type) / \(code)\(padding) \(event.value)"
    }

    private func codeName(_ event: KeyEvent) -> String {
        switch (event.type, event.code) {
        case (InputEventType.key, let code): KeyCode(rawValue: code).name
        case (InputEventType.msc, 4): "MSC_SCAN"
        case (_, let code): "\(code)"
        }
    }

    /// Formats bits `first` to `first + 63` as hexadecimal bytes, such as ` 10 00 …`.
    private static func mask(_ bits: Set<Int>, from first: Int) -> String {
        stride(from: first, to: first + 64, by: 8).map { start in
            let byte = (0..<8).reduce(0) { bits.contains(start + $1) ? $0 | 1 << $1 : $0 }
            return " " + byte.padded(to: 2, radix: 16)
        }.joined()
    }

    private static let typeNames: [UInt16: String] = [
        InputEventType.key: "EV_KEY", InputEventType.msc: "EV_MSC", InputEventType.led: "EV_LED",
        InputEventType.rep: "EV_REP",
    ]
}
