import Keystrokes
import WireText

/// How many keys came, and how long from the first to the last: the `keystrokes` field of events.
struct KeystrokeSpan {
    /// The field's name.
    static let field = "keystrokes"

    private let count: Int
    private let milliseconds: Int64

    /// Makes it; a clock that stepped back counts 0.
    init(count: Int, from start: Int64, to end: Int64) {
        let span = end.subtractingReportingOverflow(start)
        self.count = count
        milliseconds = span.overflow ? 0 : max(0, span.partialValue) / 1_000
    }

    /// The field's value.
    var data: JSONValue {
        .object(["count": .integer(Int64(count)), "duration_ms": .integer(milliseconds)])
    }

    /// Appends ``data`` as JSON, in a fraction of the time it takes to make a value and write it.
    func append(to output: inout [UInt8]) {
        output.append(#"{"count":"#)
        output.appendDecimal(UInt64(count.magnitude))
        output.append(#","duration_ms":"#)
        output.appendDecimal(UInt64(milliseconds.magnitude))
        output.append(UInt8(ascii: "}"))
    }
}

extension Scan {
    /// Its keystrokes.
    var span: KeystrokeSpan {
        KeystrokeSpan(count: keyCount, from: startMicroseconds, to: endMicroseconds)
    }
}
