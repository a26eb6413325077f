internal import Keystrokes

/// A parser for the output of `hid-recorder`: descriptors and reports of HID devices.
///
/// A `D:` line selects the device that the following lines describe; `R:` contains the report descriptor, `N:` the
/// name, `P:` the port, `I:` the bus, vendor and product numbers, and `E:` a report with its time. In `R:` and `E:`
/// lines, the number of bytes comes before the bytes. Lines that start with `#` are comments.
///
/// Rule: hid-tools, `hid-recorder(1)`.
struct HIDRecorderParser: LineParser {
    private static let reportForm = "\"E: SECONDS.MICROSECONDS COUNT BYTES\""
    private var devices: [Int64: DeviceIdentity] = [:]
    private var descriptors: [Int64: [UInt8]] = [:]
    /// The device number in the last `D:` line.
    private var current: Int64 = 0
    /// The number of the device that sent the last report.
    private var last: Int64?

    static func holdsEvent(_ line: LineCursor) -> Bool {
        var cursor = line
        guard cursor.skip("E:"), let report = try? report(&cursor) else { return false }
        // A line with only two bytes may be an event of evemu.
        return report.bytes.count > 2
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        var cursor = line
        guard cursor.skip("R:"), cursor.skipBlanks() else { return .none }
        return (try? bytes(&cursor, form: "")) == nil ? .none : .certain
    }

    mutating func read(_ line: Line, into items: inout Items) throws(LineFault) {
        var cursor = LineCursor(line.bytes)
        guard cursor.byte != UInt8(ascii: "#") else { return }
        if cursor.skip("E:") {
            let report = try Self.report(&cursor)
            guard let descriptor = descriptors[current] else {
                throw LineFault(expected: "a report descriptor (R:) before the first report")
            }
            if last != current {
                items.append(
                    .hid(devices[current] ?? DeviceIdentity(), descriptor: descriptor))
            }
            last = current
            return items.append(.report(report.bytes, at: report.time))
        }
        if cursor.skip("R:") {
            let form = "\"R: COUNT BYTES\""
            guard cursor.skipBlanks() else { throw LineFault(expected: form) }
            descriptors[current] = try Self.bytes(&cursor, form: form)
            // A second recording in the same file starts here.
            if last == current { last = nil }
        } else {
            try readFact(&cursor)
        }
    }

    private mutating func readFact(_ cursor: inout LineCursor) throws(LineFault) {
        if cursor.skip("D:") {
            guard cursor.skipBlanks(), let number = cursor.decimal(), cursor.endsOrComments() else {
                throw LineFault(expected: "\"D: NUMBER\"")
            }
            current = number
        } else if cursor.skip("N:") {
            devices[current, default: DeviceIdentity()].name = cursor.restText()
        } else if cursor.skip("P:") {
            devices[current, default: DeviceIdentity()].phys = cursor.restText()
        } else if cursor.skip("I:") {
            guard let numbers = cursor.smallHexadecimals(3) else {
                throw LineFault(expected: "\"I: BUS VENDOR PRODUCT\"")
            }
            devices[current].setNumbers(numbers + [0])
        } else if !cursor.endsOrComments() {
            throw LineFault(expected: "one of \"D: R: N: P: I: E: #\"")
        }
    }

    private static func report(
        _ cursor: inout LineCursor
    ) throws(LineFault) -> (time: Int64, bytes: [UInt8]) {
        guard cursor.skipBlanks(), let time = cursor.time(), cursor.skipBlanks() else {
            throw LineFault(expected: reportForm)
        }
        return (time, try bytes(&cursor, form: reportForm))
    }

    /// Reads a number and that many bytes; throws if there are fewer or more.
    private static func bytes(
        _ cursor: inout LineCursor, form: String
    ) throws(LineFault) -> [UInt8] {
        guard let count = cursor.decimal() else { throw LineFault(expected: form) }
        var bytes: [UInt8] = []
        while cursor.skipBlanks(), let byte = cursor.hexadecimal(longest: 2) {
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        guard cursor.isAtEnd, bytes.count == count else { throw LineFault(expected: form) }
        return bytes
    }
}
