import WireText

/// A formatter that turns events into lines of bytes.
///
/// In every format, an event becomes at most one line, which ends with a line feed. Text is escaped, so it cannot
/// start a new line or control the terminal.
package struct EventFormatter: Sendable {
    package let format: EventFormat
    private let pretty: PrettyLine

    /// Creates a formatter for a terminal with `width` columns; fewer than 60 count as 60.
    package init(
        _ format: EventFormat, colour: Bool = false, width: Int = 100, showsDate: Bool = false
    ) {
        self.format = format
        pretty = PrettyLine(isColoured: colour, width: max(width, 60), showsDate: showsDate)
    }

    /// Appends an event's line, or nothing if the format has no line for the event.
    package func append(_ event: Event, to output: inout [UInt8]) {
        switch format {
        case .json: output.append(contentsOf: event.line)
        case .text:
            guard event.type == .scan, let text = EventFields(event: event).text else { return }
            Escaping.line.append(text, to: &output)
        case .tsv:
            let fields = EventFields(event: event)
            let columns = EventColumn.all.map { column in
                let value = column.value(fields)
                return value == "-" ? #"\x2d"# : value.map(Escaping.line.escaped) ?? "-"
            }
            output += columns.joined(separator: "\t").utf8
        case .pretty: pretty.append(EventFields(event: event), to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    /// Appends the line, if any, for an event that is given as a line of JSON.
    package func append(line: [UInt8], to output: inout [UInt8]) {
        if format == .json {
            // This version might encode the event differently from the version that wrote it.
            output += line + [UInt8(ascii: "\n")]
        } else if let event = Event(line: line) {
            append(event, to: &output)
        }
    }
}

/// A format for event lines, chosen with `--format` or in the configuration.
package enum EventFormat: String, CaseIterable, Sendable {
    case json

    /// The text of each scan, one per line; other events are omitted.
    case text

    /// Tab-separated columns; see ``EventColumn``.
    case tsv

    /// Aligned columns for people at a terminal.
    case pretty
}

/// The columns of the format `tsv`.
///
/// Every line has all columns, and new ones are only added at the end. A missing value is written as `-`, because the
/// shell's `read` merges adjacent tabs; the value `-` itself is written as `\x2d`. All values are escaped with
/// ``Escaping/line``.
enum EventColumn {
    static let all: [(name: String, value: @Sendable (EventFields) -> String?)] = [
        ("time", { $0.event.time.description }),
        ("scanner", { $0.scanner }),
        ("type", { $0.event.type.rawValue }),
        ("reason", { $0.reason }),
        ("text", { $0.text }),
        ("gtin", { $0.text("gtin") }),
        ("symbology", { $0.text("symbology") }),
        ("kind", { $0.text("kind") }),
        ("lookup", { $0.lookup }),
        ("product_id", { $0.text("product", "id") }),
        ("product_name", { $0.name }),
        ("price", { $0.price }),
        ("currency", { $0.currency }),
        ("unit", { $0.text("product", "unit") }),
        ("problems", { $0.problems.isEmpty ? nil : $0.problems.joined(separator: ",") }),
        ("sequence", { Event.text(ofSequence: $0.event.sequence) }),
        ("id", { $0.event.id }),
        ("source", { $0.event.source }),
        ("price_stale", { $0.isPriceStale ? "true" : nil }),
        ("charge", { $0.text("charge", "amount") }),
        ("charge_currency", { $0.text("charge", "currency") }),
        ("charge_quantity", { $0.text("charge", "quantity") }),
        ("charge_unit", { $0.text("charge", "unit") }),
        ("charge_reason", { $0.text("charge", "reason") }),
    ]
}

/// The fields of an event that appear in the formats `text`, `tsv` and `pretty`.
///
/// A field is nil if it is missing, empty or of an unexpected type, because events may come from other programs.
struct EventFields {
    let event: Event

    var scanner: String? { text("scanner", "name") }
    var text: String? { text("text") }
    var reason: String? { text("reason") }
    var lookup: String? { text("lookup", "status") }
    var name: String? { text("product", "name") }
    var price: String? { text("product", "price") }
    var currency: String? { text("product", "currency") }
    /// Whether the price may be out of date because the catalog could not be reached.
    var isPriceStale: Bool { event.data["product"]?.object?["price_stale"] == .bool(true) }

    /// The number of keys that were read: `keystrokes.count`, or `keystrokes` itself if it is a number.
    var keystrokes: String? { text("keystrokes", "count") ?? text("keystrokes") }

    var problems: [String] {
        (event.data["problems"]?.array ?? []).compactMap { Self.text(of: $0.object?["code"]) }
    }

    /// Returns the text of the value at a path of keys in `data`; nil if there is no text.
    func text(_ path: String...) -> String? {
        Self.text(of: JSONValue.object(event.data)[JSONPointer(path)])
    }

    private static func text(of value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        case .bool(let truth): String(truth)
        case nil, .null, .array, .object: nil
        }
    }
}
