import WireText

/// The line of an event that is complete but for its time and one field of its data.
///
/// Filling them in gives the bytes that ``Event/encode(into:)`` gives, in a fraction of its time.
public struct EventTemplate: Sendable {
    private var beforeTime: [UInt8] = []
    private var beforeField: [UInt8] = []
    private var behindField: [UInt8] = []

    /// Makes a template.
    ///
    /// - Parameters:
    ///   - event: The event; its time and the field's value do not count.
    ///   - field: A field of its data; nil is returned where there is none of that name.
    public init?(_ event: Event, open field: String) {
        let members = event.data.members
        guard let index = members.firstIndex(where: { $0.key == field }) else { return nil }
        event.encodeHead(into: &beforeTime)
        event.encodeMiddle(into: &beforeField)
        beforeField.append(UInt8(ascii: "{"))
        for member in members[..<index] {
            JSONWriter.append(member, to: &beforeField)
            beforeField.append(UInt8(ascii: ","))
        }
        JSONWriter.append(field, to: &beforeField)
        beforeField.append(UInt8(ascii: ":"))
        for member in members[(index + 1)...] {
            behindField.append(UInt8(ascii: ","))
            JSONWriter.append(member, to: &behindField)
        }
        behindField.append("}}\n")
    }

    /// Fills the template in.
    ///
    /// - Parameters:
    ///   - time: When the event happened.
    ///   - appendValue: Appends the field's value as JSON.
    /// - Returns: The event as one JSON object, and a line end.
    public func line(at time: EventTime, _ appendValue: (inout [UInt8]) -> Void) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(
            beforeTime.count + beforeField.count + behindField.count + Self.roomForTheRest)
        line.append(contentsOf: beforeTime)
        time.append(to: &line)
        line.append(contentsOf: beforeField)
        appendValue(&line)
        line.append(contentsOf: behindField)
        return line
    }

    /// The bytes of a time, and of a field that is not long.
    private static let roomForTheRest = 128
}
