package import WireText

extension Event {
    /// Reads an event back from its line.
    ///
    /// - Parameter line: One JSON object, as ``encode(into:)`` writes it; no line end.
    package init?(line: [UInt8]) {
        guard let value = try? JSONReader.read(line) else { return nil }
        self.init(value)
    }

    /// Reads an event back from its JSON object.
    ///
    /// - Parameter value: The object; nil for what is no event of keywedge.
    package init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string,
            let source = object["source"]?.string, let type = object["type"]?.string,
            let time = (object["time"]?.string).flatMap({ try? EventTime(rfc3339: $0) }),
            let sequence = (object["sequence"]?.string).flatMap(UInt64.init),
            let data = object["data"]?.object
        else { return nil }
        self.init(
            id: id, source: source, type: EventType(rawValue: type), time: time,
            sequence: sequence, data: data)
    }
}
