internal import Keystrokes

/// Understands the lines of one format.
protocol LineParser {
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
        guard type == EventType.key else { return nil }
        if code > KeyCode.highest { return "a key code up to \(KeyCode.highest)" }
        return value < 0 || value > 2 ? "a key value of 0, 1 or 2" : nil
    }
}
