import WireText

/// Metrics in Prometheus' text format.
///
/// Rule: Prometheus, "Exposition formats", text format 0.0.4: of a help text backslash and line feed are
/// escaped, of a label's value quotation marks as well. What would act on a terminal is escaped before
/// that, as ``Escaping/line`` has it.
struct MetricsText {
    /// What a metric is.
    enum Kind: String {
        /// A number that only rises while the daemon runs.
        case counter
        /// A number that rises and falls.
        case gauge
        /// Durations in buckets.
        case histogram
    }

    /// A label of a sample.
    typealias Label = (name: String, value: String)

    /// The media type.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The text so far.
    private(set) var bytes: [UInt8] = []
    private var name = ""

    /// Begins a metric.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - kind: What it is.
    ///   - help: What it tells, in one sentence of ours.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        bytes += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8
    }

    /// Adds a sample with a whole number.
    mutating func add(_ value: some BinaryInteger, _ labels: Label...) {
        add(suffix: "", "\(value)", labels)
    }

    /// Adds a sample in seconds.
    mutating func add(microseconds: Int64, _ labels: Label...) {
        add(suffix: "", Self.seconds(microseconds), labels)
    }

    /// Adds a histogram.
    mutating func add(_ histogram: DurationHistogram, _ labels: Label...) {
        var count = 0
        for (bound, inBucket) in zip(
            DurationHistogram.bounds.map(\.text) + ["+Inf"], histogram.counts)
        {
            count += inBucket
            add(suffix: "_bucket", "\(count)", labels + [("le", bound)])
        }
        add(suffix: "_sum", Self.seconds(histogram.sum), labels)
        add(suffix: "_count", "\(count)", labels)
    }

    private mutating func add(suffix: String, _ value: String, _ labels: [Label]) {
        bytes += "\(name)\(suffix)".utf8
        for (index, label) in labels.enumerated() {
            bytes += "\(index == 0 ? "{" : ",")\(label.name)=\"".utf8
            append(label.value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes += "\(labels.isEmpty ? "" : "}") \(value)\n".utf8
    }

    /// Appends the value of a label.
    private mutating func append(_ value: String) {
        for byte in Escaping.line.escaped(value).utf8 {
            // Of the three that the format escapes no line feed is left.
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
    }

    /// Microseconds as seconds, digit for digit.
    private static func seconds(_ microseconds: Int64) -> String {
        var digits: [UInt8] = []
        if microseconds < 0 { digits.append(UInt8(ascii: "-")) }
        digits.appendDecimal(microseconds.magnitude / 1_000_000)
        digits.append(UInt8(ascii: "."))
        digits.appendDecimal(microseconds.magnitude % 1_000_000, digits: 6)
        return String(decoding: digits, as: UTF8.self)
    }
}
