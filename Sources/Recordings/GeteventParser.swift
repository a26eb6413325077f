internal import Keystrokes

/// Reads what Android's `getevent` prints, with and without `-l` and `-t`, amid other text.
///
/// Rule: Android's documentation of getevent, and its output. With `-l` types, codes and key values
/// are names, else hexadecimal. Every line names its device unless one alone was asked for; the
/// devices take turns as they type. What the list ahead of the events says of a device becomes its
/// identity; where it tells no place, the node stands for it, so that two alike are kept apart.
struct GeteventParser: LineParser {
    static let eventForm = "\"[TIME] DEVICE: TYPE CODE VALUE\" as getevent prints it"

    private var devices = GeteventDevices()
    private var times = EventTimes()

    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault) {
        guard let fields = GeteventLine.find(in: LineCursor(line.bytes)) else {
            guard !GeteventLine.isTorn(line.bytes), !FormatRecogniser.holdsEvent(line) else {
                throw LineFault(expected: Self.eventForm)
            }
            return devices.read(line)
        }
        guard fields.isAlone else { throw LineFault(expected: "one event on the line") }
        guard let (type, code, value) = try fields.numbers() else { return }
        guard let time = times.time(fields.time, ofType: type) else {
            throw LineFault(expected: Self.eventForm)
        }
        let event = KeyEvent(type: type, code: code, value: value, microseconds: time)
        if let expected = event.impossibility { throw LineFault(expected: expected) }
        if let device = devices.turn(to: fields.node) { items.append(.device(device)) }
        items.append(event)
    }

    static func holdsEvent(_ line: LineCursor) -> Bool {
        GeteventLine.find(in: line) != nil
    }

    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty {
        var cursor = line
        return cursor.skip("add device ") && cursor.decimal() != nil && cursor.skip(": /dev/input/")
            ? .certain : .none
    }
}

/// The devices that getevent lists ahead of their events.
struct GeteventDevices {
    private var devices: [String: DeviceIdentity] = [:]
    /// The node whose description is being read.
    private var described: String?
    /// The node whose events come.
    private var current: String?

    /// Reads a line of the list; any other is passed over.
    mutating func read(_ line: Line) {
        var cursor = LineCursor(line.bytes)
        cursor.skipQuoting()
        if cursor.skip("add device "), cursor.decimal() != nil, cursor.skip(": /dev/input/") {
            let node = String(decoding: cursor.rest, as: UTF8.self)
            devices[node] = Self.unknown(node)
            described = node
        } else if let described {
            devices[described]?.describe(&cursor)
        }
    }

    /// The events that follow are those of a node.
    ///
    /// - Parameter node: Its name in `/dev/input`; nil where the line does not tell.
    /// - Returns: The device, where it is another than before.
    mutating func turn(to node: String?) -> DeviceIdentity? {
        described = nil
        guard let node, node != current else { return nil }
        current = node
        return devices[node] ?? Self.unknown(node)
    }

    private static func unknown(_ node: String) -> DeviceIdentity {
        DeviceIdentity(phys: "/dev/input/" + node)
    }
}

extension DeviceIdentity {
    /// Takes over what one line of `getevent -i` says.
    fileprivate mutating func describe(_ line: inout LineCursor) {
        if line.skip("name:") {
            name = line.nameInMarks()
        } else if line.skip("location:") {
            phys = line.nameInMarks() ?? phys
        } else if line.skip("id:") {
            uniq = line.nameInMarks()
        } else if line.skip("bus:") {
            bus = Self.number(&line) ?? bus
        } else if line.skip("vendor ") {
            vendor = Self.number(&line) ?? vendor
        } else if line.skip("product ") {
            product = Self.number(&line) ?? product
        } else if line.skip("version ") {
            version = Self.number(&line) ?? version
        }
    }

    private static func number(_ line: inout LineCursor) -> UInt16? {
        line.skipBlanks()
        return line.smallHexadecimal()
    }
}
