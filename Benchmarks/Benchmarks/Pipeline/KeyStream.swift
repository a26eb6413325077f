import Keystrokes

/// The input events of one scan, to be fed again and again.
struct KeyStream {
    /// What is counted when a stream is measured.
    enum Unit: String, CaseIterable {
        /// Every event the kernel delivers, `EV_SYN` and `EV_MSC` included.
        case inputEvents = "input events"
        /// Every `EV_KEY` event: presses and releases.
        case keyEvents = "key events"
        /// Keys pressed.
        case keyPresses = "key presses"
    }

    /// What the stream is like, for the name of a benchmark.
    let name: String
    private let events: [KeyEvent]
    private let duration: Int64

    /// Types a text on the US layout, with Enter, as fast as a USB scanner does.
    ///
    /// - Parameters:
    ///   - text: The text; every character of it is on the US layout.
    ///   - hasScanCodes: Whether an `EV_MSC` event with the hardware's own number goes ahead of
    ///     each key event, as USB keyboards send it.
    /// - Throws: `TypingError` for a character that is not.
    init(_ text: String, hasScanCodes: Bool) throws {
        let typed = try Typist().events(for: text)
        events =
            !hasScanCodes
            ? typed
            : typed.flatMap { event in
                event.type == EventType.key ? [Self.scanCode(of: event), event] : [event]
            }
        duration = (typed.last?.microseconds ?? 0) + 50_000
        name = hasScanCodes ? "MSC, KEY, SYN" : "KEY, SYN"
    }

    private static func scanCode(of event: KeyEvent) -> KeyEvent {
        KeyEvent(
            type: EventType.msc, code: 4, value: 458_752 + Int32(event.code),
            microseconds: event.microseconds)
    }

    /// How often the stream must be fed to come to about `count`.
    ///
    /// - Parameters:
    ///   - count: How many are wanted.
    ///   - unit: Of what.
    /// - Returns: The number of rounds.
    func rounds(for count: Int, _ unit: Unit) -> Int {
        let inOneRound =
            switch unit {
            case .inputEvents: events.count
            case .keyEvents: events.count { $0.type == EventType.key }
            case .keyPresses: events.count { $0.type == EventType.key && $0.value == 1 }
            }
        return (count + inOneRound / 2) / inOneRound
    }

    /// Feeds the stream, one round behind the other in time.
    ///
    /// - Parameters:
    ///   - rounds: How often.
    ///   - assembler: What it is fed to.
    /// - Returns: How many scans came out.
    func feed(_ rounds: Int, to assembler: inout ScanAssembler) -> Int {
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
