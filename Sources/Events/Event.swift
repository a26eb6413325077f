package import WireText

/// Something that happened at a scanner, as a CloudEvents 1.0 event.
///
/// `source` and `id` together are unique for ever; the same event always gives the same bytes.
///
/// Rule: CloudEvents 1.0.2, section "Context Attributes", and its JSON format; `sequence` is the
/// extension of that name.
package struct Event: Equatable, Sendable {
    /// Tells this event from all others of its source.
    package let id: String

    /// Where it happened: a path, `/keywedge/BOX/scanners/NAME`.
    package let source: String

    /// What it tells.
    package let type: EventType

    /// When it happened.
    package let time: EventTime

    /// Its place among the events of the box; written with 20 digits, so that texts sort alike.
    package let sequence: UInt64

    /// What there is to know, by the type.
    package let data: JSONObject

    /// The event as one JSON object, without a line end: what every outlet and the journal take, written once.
    package let line: [UInt8]

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - id: Unique within `source`, for ever.
    ///   - source: A path.
    ///   - type: What it tells.
    ///   - time: When it happened.
    ///   - sequence: Its place among the events of the box.
    ///   - data: What there is to know.
    package init(
        id: String, source: String, type: EventType, time: EventTime, sequence: UInt64,
        data: JSONObject
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.sequence = sequence
        self.data = data
        line = Self.line(id, source, type, time, sequence, data)
    }

    /// A sequence number as events have it: 20 digits, so that texts sort alike.
    ///
    /// - Parameter sequence: The number.
    /// - Returns: The text.
    package static func text(ofSequence sequence: UInt64) -> String {
        var output: [UInt8] = []
        output.appendDecimal(sequence, digits: 20)
        return String(decoding: output, as: UTF8.self)
    }

    private static func line(
        _ id: String, _ source: String, _ type: EventType, _ time: EventTime, _ sequence: UInt64,
        _ data: JSONObject
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(1024)
        output.append(#"{"specversion":"1.0","id":"#)
        JSONWriter.append(id, to: &output)
        output.append(#","source":"#)
        JSONWriter.append(source, to: &output)
        output.append(#","type":"#)
        JSONWriter.append(type.rawValue, to: &output)
        output.append(#","time":""#)
        time.append(to: &output)
        output.append(#"","datacontenttype":"application/json","sequence":""#)
        output.appendDecimal(sequence, digits: 20)
        output.append(#"","data":"#)
        JSONWriter.append(data, to: &output)
        output.append(UInt8(ascii: "}"))
        return output
    }
}

extension Event {
    /// Reads an event back from its line.
    ///
    /// - Parameter line: One JSON object, as ``line`` has it; no line end.
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

/// Where an event happened, as its source says it.
package struct EventPlace: Equatable, Sendable {
    /// The register's name; nil where the source is another's.
    package let register: String?
    /// The scanner's name; nil for the daemon itself.
    package let scanner: String?

    /// Reads a source.
    ///
    /// - Parameter source: `/keywedge/REGISTER` or `/keywedge/REGISTER/scanners/NAME`.
    package init(source: String) {
        let steps = source.split(separator: "/", omittingEmptySubsequences: false)
        register = steps.count > 2 ? String(steps[2]) : nil
        scanner = steps.count > 4 && steps[3] == "scanners" ? String(steps[4]) : nil
    }
}
