import WireText

/// Turns events into lines of bytes.
///
/// In every format an event gives at most one line, ended by a line feed, and nothing in an event
/// can add another or reach the terminal: see ``Escaping``.
package struct EventFormatter: Sendable {
    /// What the lines are like.
    package let format: EventFormat

    /// The narrowest terminal that `pretty` fits its lines to.
    package static let minimumWidth = 60

    private let pretty: PrettyLine

    /// Makes a formatter.
    ///
    /// - Parameters:
    ///   - format: What the lines are like.
    ///   - colour: Whether `pretty` may use the terminal's colours; nothing else does.
    ///   - width: The terminal's columns, for `pretty`; fewer than ``minimumWidth`` count
    ///     as that.
    package init(_ format: EventFormat, colour: Bool = false, width: Int = 100) {
        self.format = format
        let width = max(width, Self.minimumWidth)
        self.pretty = PrettyLine(palette: colour ? .terminal : .plain, width: width)
    }

    /// Appends the line of an event; nothing where the format has none for it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - output: Where the bytes go.
    package func append(_ event: Event, to output: inout [UInt8]) {
        switch format {
        case .json: output.append(contentsOf: event.line)
        case .text:
            guard event.type == .scan, let text = EventFields(event: event).text else { return }
            Escaping.line.append(text, to: &output)
        case .tsv: Self.appendColumns(EventFields(event: event), to: &output)
        case .pretty: pretty.append(EventFields(event: event), to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    private static func appendColumns(_ fields: EventFields, to output: inout [UInt8]) {
        var isFirst = true
        for column in EventColumn.allCases {
            if !isFirst { output.append(UInt8(ascii: "\t")) }
            isFirst = false
            switch column.value(in: fields) {
            case nil: output.append(UInt8(ascii: "-"))
            case "-": output.append(#"\x2d"#)
            case let value?: Escaping.line.append(value, to: &output)
            }
        }
    }
}

/// What a line of output is like; the values of `--format`.
package enum EventFormat: String, CaseIterable, Sendable {
    /// The event itself, one JSON object a line.
    case json

    /// The code alone, one a line; nothing for events that are no scan.
    case text

    /// Columns with a tab between them, see ``EventColumn``.
    case tsv

    /// Aligned columns for a person at a terminal.
    case pretty
}
