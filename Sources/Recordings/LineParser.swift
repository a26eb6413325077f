internal import Keystrokes

/// How surely a line belongs to a format.
enum Certainty {
    /// It does not show.
    case none
    /// It does, unless another line shows another format.
    case likely
    /// No other format has such a line.
    case certain
}

/// Understands the lines of one format.
///
/// To add a format: a type like this one, a case of ``RecordingFormat`` with an example, and the
/// type's place in ``FormatRecogniser`` and in ``RecordingReader``.
protocol LineParser: SendableMetatype {
    /// Whether a line holds a whole event as only this format writes it.
    ///
    /// - Parameter line: Stands at the beginning of the line; prose, quoting marks and echo of what
    ///   was typed may come ahead of the event.
    /// - Returns: Whether it does.
    static func holdsEvent(_ line: LineCursor) -> Bool

    /// How surely a line that holds no event is one of this format.
    ///
    /// - Parameters:
    ///   - line: Stands behind indentation and quoting marks.
    ///   - isFirst: Whether it is the first line that is neither blank nor a comment, or a comment
    ///     ahead of that.
    /// - Returns: How surely.
    static func heading(_ line: LineCursor, isFirst: Bool) -> Certainty

    /// Reads a line; what it completes goes to the end of `items`.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - items: Where devices and events go.
    /// - Throws: What is wrong with the line; it has then given nothing.
    mutating func read(_ line: Line, into items: inout ItemQueue) throws(LineFault)

    /// Goes on with a line that gives more than should be held at a time.
    ///
    /// Called while `items` is empty, until it leaves it so.
    ///
    /// - Parameter items: Where devices and events go.
    mutating func resume(into items: inout ItemQueue)

    /// Delivers what was waiting for more lines.
    ///
    /// - Parameter items: Where devices and events go.
    mutating func finish(into items: inout ItemQueue)
}

extension LineParser {
    mutating func resume(into items: inout ItemQueue) {}
    mutating func finish(into items: inout ItemQueue) {}
}

/// Items that a line gave and nobody has taken yet.
struct ItemQueue {
    /// The first item, where it is an event: nearly every line gives just one, and beside the list
    /// it is copied without counting references.
    private var event: KeyEvent?
    private var items: [RecordingItem] = []
    private var head = 0

    mutating func append(_ item: RecordingItem) {
        items.append(item)
    }

    @inline(__always)
    mutating func append(_ event: KeyEvent) {
        if self.event == nil, items.isEmpty {
            self.event = event
        } else {
            items.append(.event(event))
        }
    }

    /// Takes the first item out; nil when there is none.
    @inline(__always)
    mutating func pop() -> RecordingItem? {
        if let event {
            self.event = nil
            return .event(event)
        }
        return head < items.count ? popFromList() : nil
    }

    private mutating func popFromList() -> RecordingItem {
        defer {
            head += 1
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return items[head]
    }
}

extension KeyEvent {
    /// What is impossible in this event, or nil.
    ///
    /// A kernel never gives a key above `KEY_MAX`, nor a key value other than 0, 1 and 2
    /// (Documentation/input/event-codes.rst): such a line is damaged.
    @inline(__always)
    var impossibility: String? {
        guard type == InputEventType.key else { return nil }
        if code > KeyCode.highest { return "a key code up to \(KeyCode.highest)" }
        return value < 0 || value > 2 ? "a key value of 0, 1 or 2" : nil
    }
}
