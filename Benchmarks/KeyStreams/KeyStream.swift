package import Keystrokes

/// The input events of one scan, which can be fed repeatedly.
package struct KeyStream {
    /// Which of a keyboard's events a stream contains.
    package enum Content: String, CaseIterable {
        /// As USB keyboards send them: the hardware's number of a key, the key, and a report.
        case all = "MSC, KEY and SYN events"
        /// A key and a report.
        case keysAndReports = "KEY and SYN events"
        /// Keys alone, to measure the cost of a key; the kernel never omits the reports.
        case keys = "KEY events"
    }

    /// The unit in which a stream is measured.
    package enum Unit: String, CaseIterable {
        /// Every event of the stream.
        case events
        /// Every key pressed, with the events that belong to it.
        case presses
    }

    private let events: [KeyEvent]
    private let duration: Int64

    /// The number of events in one round.
    package var count: Int { events.count }

    /// Types a text and Enter as fast as a USB scanner; throws `TypingError` if it is not on the layout.
    package init(_ text: String, settings: ScanSettings, content: Content) throws {
        let typed = try settings.typing(of: text)
        events =
            switch content {
            case .all:
                typed.flatMap {
                    $0.type == InputEventType.key ? [Self.scanCode(of: $0), $0] : [$0]
                }
            case .keysAndReports: typed
            case .keys: typed.filter { $0.type == InputEventType.key }
            }
        duration = (typed.last?.microseconds ?? 0) + 50_000
    }

    private static func scanCode(of event: KeyEvent) -> KeyEvent {
        KeyEvent(
            type: InputEventType.msc, code: 4, value: 458_752 + Int32(event.code),
            microseconds: event.microseconds)
    }

    /// Returns how many rounds contain about `count` events or presses.
    package func rounds(for count: Int, _ unit: Unit) -> Int {
        let inOneRound =
            switch unit {
            case .events: events.count
            case .presses: events.count { $0.type == InputEventType.key && $0.value == 1 }
            }
        return (count + inOneRound / 2) / inOneRound
    }

    /// Feeds the stream `rounds` times, each time with later timestamps; returns the number of scans.
    package func feed(_ rounds: Int, to assembler: inout ScanAssembler) -> Int {
        var scans = 0
        for round in 0..<rounds {
            let start = Int64(round) * duration
            for var event in events {
                event.microseconds += start
                if case .scan = assembler.feed(event) { scans += 1 }
            }
        }
        return scans
    }
}
