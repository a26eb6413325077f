package import WireText

/// A CloudEvents 1.0 event about something that happened at a scanner or in the daemon.
///
/// `source` and `id` together are unique forever. Equal events are always encoded as equal bytes.
///
/// Rule: CloudEvents 1.0.2, section "Context Attributes", and its JSON format; `sequence` is the CloudEvents extension
/// with this name.
package struct Event: Equatable, Sendable {
    package let id: String

    /// Where the event happened: `/keywedge/REGISTER` or `/keywedge/REGISTER/scanners/NAME`.
    package let source: String

    package let type: EventType
    package let time: EventTime
    package let sequence: UInt64
    package let data: JSONObject

    /// The event as one JSON object without a line ending; the journal and all sinks share this encoding.
    package let line: [UInt8]

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
        let object: JSONObject = [
            "specversion": "1.0", "id": .string(id), "source": .string(source),
            "type": .string(type.rawValue), "time": .string("\(time)"),
            "datacontenttype": "application/json",
            "sequence": .string(Self.text(ofSequence: sequence)), "data": .object(data),
        ]
        var output: [UInt8] = []
        output.reserveCapacity(1024)
        JSONWriter.append(object, to: &output)
        line = output
    }

    /// Returns a sequence number padded to 20 digits, so that strings sort in numeric order.
    package static func text(ofSequence sequence: UInt64) -> String { sequence.padded(to: 20) }
}

extension Event {
    package init?(line: [UInt8]) {
        guard let object = try? JSONReader.read(line).object, let id = object["id"]?.string,
            let source = object["source"]?.string, let type = object["type"]?.string,
            let time = (object["time"]?.string).flatMap(EventTime.init(rfc3339:)),
            let sequence = (object["sequence"]?.string).flatMap(UInt64.init),
            let data = object["data"]?.object
        else { return nil }
        self.init(
            id: id, source: source, type: EventType(rawValue: type), time: time,
            sequence: sequence, data: data)
    }
}

/// The register and the scanner in an event's ``Event/source``.
package struct EventPlace: Equatable, Sendable {
    /// The register's name: the second segment of the source's path; nil if the path has only one segment.
    package let register: String?
    /// The scanner's name; nil for the daemon itself.
    package let scanner: String?

    package init(source: String) {
        let steps = source.split(separator: "/", omittingEmptySubsequences: false)
        register = steps.count > 2 ? String(steps[2]) : nil
        scanner = steps.count > 4 && steps[3] == "scanners" ? String(steps[4]) : nil
    }
}
