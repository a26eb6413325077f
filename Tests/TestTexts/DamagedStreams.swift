package import Keystrokes

/// Streams of known scans, in which keys are lost, come late, or are cut off by unplugging.
package struct DamagedStreams {
    /// A way of typing, ready to be used often.
    package struct Way: Sendable {
        package let settings: ScanSettings
        fileprivate let typist: ScanTypist
        fileprivate let fresh: ScanAssembler

        package init(_ settings: ScanSettings) {
            self.settings = settings
            typist = ScanTypist(settings: settings)
            fresh = ScanAssembler(settings: settings)
        }
    }

    /// What a reader is given of a stream.
    package enum Step: Hashable, Sendable {
        case event(KeyEvent)
        /// Somebody looks at the clock.
        case time(Int64)
        case unplugged(Int64)
        case grabbed(Int64)
    }

    /// A stream, and what was sent in it.
    package struct Stream: Sendable {
        /// The texts of the scans, in order, no two alike; the last comes long after all damage.
        package var sent: [String]
        package var steps: [Step]
        /// What was done to it, in words.
        package var damage: [String]

        /// What an assembler makes of it.
        package func outcomes(_ way: Way) -> [ScanAssembler.Outcome] {
            var assembler = way.fresh
            var outcomes: [ScanAssembler.Outcome] = []
            for step in steps {
                let outcome: ScanAssembler.Outcome
                switch step {
                case .event(let event): outcome = assembler.feed(event)
                case .time(let now): outcome = assembler.advance(to: now)
                case .unplugged(let now): outcome = assembler.disconnect(at: now)
                case .grabbed(let now):
                    outcome = .nothing
                    assembler.claimed(at: now)
                }
                if case .nothing = outcome { continue }
                outcomes.append(outcome)
            }
            let last = assembler.finish()
            return last == .nothing ? outcomes : outcomes + [last]
        }
    }

    /// Longer than the random texts.
    private static let last = String(repeating: "7", count: 30)

    private var random: SplitMix
    private var texts: RandomTexts

    /// - Parameter seed: The same seed gives the same streams.
    package init(seed: UInt64) {
        random = SplitMix(seed: seed)
        texts = RandomTexts(seed: seed &+ 1)
    }

    /// The next stream.
    ///
    /// - Parameters:
    ///   - way: How its scans are typed.
    ///   - damages: How many things happen to it.
    /// - Returns: The stream.
    package mutating func next(_ way: Way, damages: Int) -> Stream {
        var stream = Stream(sent: [], steps: [], damage: [])
        var events: [KeyEvent] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            type(texts.next(), way, after: gap(way), &events, &stream)
        }
        for _ in 0..<damages { damage(way, &events, &stream) }
        // Whatever was lost, a scanner that has been quiet is believed again.
        type(Self.last, way, after: 21_000_000, &events, &stream)
        stream.steps = steps(of: events)
        return stream
    }

    private mutating func type(
        _ text: String, _ way: Way, after gap: Int64, _ events: inout [KeyEvent],
        _ stream: inout Stream
    ) {
        let pace = Duration.microseconds(Int64.random(in: 500...8_000, using: &random))
        let start = (events.last?.microseconds ?? 0) + gap
        guard !stream.sent.contains(text),
            let typed = try? way.typist.events(for: text, pace: pace, startingAt: start)
        else { return }
        stream.sent.append(text)
        events += typed
    }

    /// A time between two scans that is long enough for both to be read.
    private mutating func gap(_ way: Way) -> Int64 {
        let least: Int64 =
            way.settings.terminators.isEmpty
            ? way.settings.idleTimeout.wholeMicroseconds
            : way.settings.terminatorPause.wholeMicroseconds
        let most: [Int64] = [20_000, 400_000, 1_500_000, 3_000_000]
        return least
            + Int64.random(in: 10_000...(most.randomElement(using: &random) ?? 0), using: &random)
    }
}

extension DamagedStreams {
    /// Marks in the event stream, told from the kernel's by types that it does not have.
    private static let unplugged: UInt16 = 0xFFF0
    private static let grabbed: UInt16 = 0xFFF1

    private mutating func damage(
        _ way: Way, _ events: inout [KeyEvent], _ stream: inout Stream
    ) {
        guard events.count > 2 else { return }
        let first = Int.random(in: 0..<events.count - 1, using: &random)
        let length = [1, 3, 8, 40].randomElement(using: &random) ?? 1
        let last = min(first + Int.random(in: 0...length, using: &random), events.count - 1)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // The kernel throws away what it has but the newest event, whose time its word bears.
            events.replaceSubrange(first..<last, with: [.dropped(at: events[last].microseconds)])
            stream.damage.append("events \(first)..<\(last) lost")
        case 1:
            let delay = Int64.random(in: 1_000...longestDelay(way, stream), using: &random)
            Self.delay(&events, from: first, by: delay)
            stream.damage.append("events from \(first) delayed by \(delay) µs")
        case 2:
            guard let release = events[first...].firstIndex(where: \.isRelease) else { return }
            let delay = Int64.random(in: 1_000...5_000_000, using: &random)
            Self.hold(&events, at: release, for: delay)
            stream.damage.append("key of event \(release) held for \(delay) µs")
        default:
            let marks = [(Self.unplugged, events[first]), (Self.grabbed, events[last])].map {
                KeyEvent(type: $0, code: 0, value: 0, microseconds: $1.microseconds)
            }
            events.replaceSubrange(first..<last, with: marks)
            stream.damage.append("unplugged at \(first), grabbed at \(last)")
        }
    }

    private static func delay(_ events: inout [KeyEvent], from first: Int, by delay: Int64) {
        for index in first..<events.count { events[index].microseconds += delay }
    }

    /// A key comes up late, and the kernel repeats it as long as it is down.
    private static func hold(_ events: inout [KeyEvent], at release: Int, for time: Int64) {
        let start = events[release].microseconds
        let code = KeyCode(rawValue: events[release].code)
        delay(&events, from: release, by: time)
        let repeats = stride(from: start, to: start + time, by: 250_000).flatMap {
            [KeyEvent.key(code, 2, at: $0), .report(at: $0)]
        }
        events.insert(contentsOf: repeats, at: release)
    }

    /// The longest delay of which a reader can know that it ends no scan.
    ///
    /// Where a pause is what ends a scan, no longer one is told from an end.
    private func longestDelay(_ way: Way, _ stream: Stream) -> Int64 {
        let settings = way.settings
        let spare: Int64 = 9_000
        if settings.terminators.isEmpty {
            return settings.idleTimeout.wholeMicroseconds / 3 - spare
        }
        let pause = settings.terminatorPause.wholeMicroseconds
        let ends = "\r\n".unicodeScalars + Array(settings.terminators.characters)
        let holdsAnEnd = stream.sent.contains { $0.unicodeScalars.contains { ends.contains($0) } }
        if pause > 0, holdsAnEnd { return pause / 2 - spare }
        return settings.recovery.wholeMicroseconds / 3 - spare
    }

    private mutating func steps(of events: [KeyEvent]) -> [Step] {
        let tellsTime = Bool.random(using: &random)
        var steps: [Step] = []
        steps.reserveCapacity(events.count * 2)
        for event in events {
            switch event.type {
            case Self.unplugged: steps.append(.unplugged(event.microseconds))
            case Self.grabbed: steps.append(.grabbed(event.microseconds))
            default:
                // Who looks at the clock has read what came before, so that keys lost are no pause.
                let isLoss = event.type == InputEventType.syn && event.code == SynCode.dropped
                if tellsTime, !isLoss { steps.append(.time(event.microseconds)) }
                steps.append(.event(event))
            }
        }
        return steps
    }
}

extension KeyEvent {
    fileprivate var isRelease: Bool { type == InputEventType.key && value == 0 }
}
