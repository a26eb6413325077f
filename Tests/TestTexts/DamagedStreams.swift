package import Keystrokes

/// Streams of known scans with damage: keys are lost, late or held down, the scanner is unplugged, or it is handed to
/// another process or another configuration.
///
/// Events arrive as from keywedge's reader, which merges the events of a scanner's nodes by time, regards a loss on
/// one node as a loss on all of them, and reports the keys that are down after a loss or a claim as auto-repeats.
package struct DamagedStreams {
    /// A way of typing, with a prepared typist and assembler, which are costly to make.
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

    /// One action of the reader.
    package enum Step: Hashable, Sendable {
        case feed(KeyEvent)
        case advance(Int64)
        case disconnect(Int64)
        case claim(Int64)
        /// Another process gets the scanner; it must claim it if a scan is in progress or a key is down.
        case handOver(Int64)
        /// A new assembler claims the scanner.
        case reload(Int64)
    }

    /// A stream, and the texts of the scans in it.
    package struct Stream: Sendable {
        /// The different texts of the scans, in the order of sending; the last is sent long after all damage.
        package var sent: [String]
        package var steps: [Step]
        /// Descriptions of all damage.
        package var damage: [String]

        /// Feeds the stream to an assembler, and returns the scans and rejections.
        package func outcomes(_ way: Way) -> [ScanAssembler.Outcome] {
            var assembler = way.fresh
            var outcomes: [ScanAssembler.Outcome] = []
            for step in steps {
                switch step {
                case .feed(let event): outcomes.append(assembler.feed(event))
                case .advance(let now): outcomes.append(assembler.advance(to: now))
                case .disconnect(let now): outcomes.append(assembler.disconnect(at: now))
                case .claim(let now): assembler.claimed(at: now)
                case .handOver(let now):
                    let rest = assembler.rest
                    assembler = way.fresh
                    if let rest { assembler.resume(from: rest) } else { assembler.claimed(at: now) }
                case .reload(let now):
                    outcomes.append(assembler.disconnect(at: now))
                    assembler = way.fresh
                    assembler.claimed(at: now)
                }
            }
            return (outcomes + [assembler.finish()]).filter { $0 != .nothing }
        }
    }

    /// An event of the scanner, or something else that happens at a time.
    private struct Item {
        enum Kind: Equatable {
            case event(KeyEvent)
            /// An event that is lost because the kernel's buffer overflows.
            case lost(KeyEvent)
            /// An event that is not read because the scanner is unplugged.
            case unread(KeyEvent)
            case unplugged, claimed, handedOver, reloaded
        }

        var kind: Kind
        var microseconds: Int64

        var event: KeyEvent? {
            switch kind {
            case .event(let event), .lost(let event), .unread(let event): event
            default: nil
            }
        }

        /// Whether this is more than a report or an auto-repeat.
        var isChange: Bool {
            event.map { $0.type == InputEventType.key && $0.value < 2 } ?? true
        }
    }

    /// The text of the last scan, which is longer than all random texts.
    private static let last = String(repeating: "7", count: 30)
    /// How much shorter than a limit a pause must be, in microseconds.
    private static let spare: Int64 = 10_000

    /// The longest time from a claim to the next key of a scan, in microseconds.
    private static let claimToKey = ScanSettings.quietAfterClaim.wholeMicroseconds - spare

    private var random: SplitMix
    private var texts: RandomTexts

    /// - Parameter seed: The same seed gives the same streams.
    package init(seed: UInt64) {
        random = SplitMix(seed: seed)
        texts = RandomTexts(seed: seed &+ 1, more: Array("ABCDEFGHJ!$%&".unicodeScalars))
    }

    /// Returns the next stream, with `damages` attempts to damage it.
    ///
    /// If `losesAPress` is true, the press of a key is missing, and only its release shows this.
    package mutating func next(_ way: Way, damages: Int, losesAPress: Bool = false) -> Stream {
        var stream = Stream(sent: [], steps: [], damage: [])
        var events: [KeyEvent] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            type(texts.next(), way, after: gap(way), &events, &stream)
        }
        // Only if a key ends each scan: while a key is down, no pause ends a scan.
        let endsByKey = !way.settings.terminators.isEmpty && way.settings.terminatorPause == .zero
        if endsByKey, Bool.random(using: &random) {
            events = events.holding([.leftctrl, .leftshift], across: way.settings.terminators.keys)
        }
        var items = events.map { Item(kind: .event($0), microseconds: $0.microseconds) }
        for _ in 0..<damages { damage(way, &items, &stream) }
        if losesAPress { loseAPress(way, &items, &stream) }
        // After this time every scan must be read again, even if the release of a key was lost: a key that stays
        // down for ten times the recovery time is regarded as lost.
        let quiet = way.settings.recovery.wholeMicroseconds * 10 + 1_000_000
        var final = [KeyEvent.report(at: items.last?.microseconds ?? 0)]
        type(Self.last, way, after: quiet, &final, &stream)
        items += final.map { Item(kind: .event($0), microseconds: $0.microseconds) }
        stream.steps = steps(of: items)
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

    /// Returns a random time between two scans, in microseconds, that is long enough for both to be read.
    private mutating func gap(_ way: Way) -> Int64 {
        let least =
            way.settings.terminators.isEmpty
            ? way.settings.idleTimeout.wholeMicroseconds
            : way.settings.terminatorPause.wholeMicroseconds
        let most: [Int64] = [20_000, 400_000, 1_500_000, 3_000_000, 15_000_000]
        return least
            + Int64.random(in: 10_000...(most.randomElement(using: &random) ?? 0), using: &random)
    }
}

extension DamagedStreams {
    private mutating func damage(_ way: Way, _ items: inout [Item], _ stream: inout Stream) {
        guard items.count > 2 else { return }
        let first = Int.random(in: 1..<items.count - 1, using: &random)
        let length = [1, 3, 8, 40].randomElement(using: &random) ?? 1
        let last = min(first + Int.random(in: 0...length, using: &random), items.count - 1)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: lose(first, last, &items, &stream)
        case 1: delay(first, way, &items, &stream)
        case 2: hold(first, &items, &stream)
        case 3: unplug(first, last, &items, &stream)
        case 4: insert(.handedOver, at: first, &items, &stream)
        default: insert(.reloaded, at: first, &items, &stream)
        }
    }

    /// Loses events as if the buffer of a node overflowed; with two nodes, the loss ends with a key of that node.
    private mutating func lose(
        _ first: Int, _ last: Int, _ items: inout [Item], _ stream: inout Stream
    ) {
        let parity: UInt16? = Bool.random(using: &random) ? nil : .random(in: 0...1, using: &random)
        let end = items[last...].firstIndex { item in
            guard let event = item.event else { return true }
            return parity.map { event.type == InputEventType.key && event.code % 2 == $0 } ?? true
        }
        guard let end else { return }
        for index in first..<end {
            if case .event(let event) = items[index].kind { items[index].kind = .lost(event) }
        }
        stream.damage.append("events \(first)..<\(end) lost")
    }

    private mutating func loseAPress(_ way: Way, _ items: inout [Item], _ stream: inout Stream) {
        let presses = items.indices.filter {
            guard let event = items[$0].event, event.type == InputEventType.key, event.value == 1
            else { return false }
            // A scan may end before the release of a modifier shows that its press was lost.
            switch way.settings.table[KeyCode(rawValue: event.code), []] {
            case .modifier, .capsLock: return false
            default: return true
            }
        }
        guard let index = presses.randomElement(using: &random) else { return }
        stream.damage.append("press \(index) lost: \(items[index])")
        items.remove(at: index)
    }

    private mutating func unplug(
        _ first: Int, _ last: Int, _ items: inout [Item], _ stream: inout Stream
    ) {
        // A key must follow the claim immediately, because the scanner is regarded as quiet after 2 s without one.
        guard let last = items[last...].firstIndex(where: \.isChange) else { return }
        for index in first..<last {
            if let event = items[index].event { items[index].kind = .unread(event) }
        }
        items.insert(Item(kind: .claimed, microseconds: items[last].microseconds), at: last)
        items.insert(Item(kind: .unplugged, microseconds: items[first].microseconds), at: first)
        stream.damage.append("unplugged at \(first), claimed at \(last)")
    }

    private mutating func delay(
        _ first: Int, _ way: Way, _ items: inout [Item], _ stream: inout Stream
    ) {
        guard let before = items[..<first].last(where: \.isChange),
            let after = items[first...].first(where: \.isChange)
        else { return }
        let gap = after.microseconds - before.microseconds
        let longest = longestStall(way, stream, after: before.kind) - gap
        guard longest > 1_000 else { return }
        // Half of the stalls are almost as long as possible.
        let least = Bool.random(using: &random) ? longest - longest / 20 : 1_000
        let delay = Int64.random(in: least...longest, using: &random)
        for index in first..<items.count { items[index].microseconds += delay }
        stream.damage.append("events from \(first) delayed by \(delay) µs")
    }

    /// Returns the longest pause in a damaged scan after which its rest must not be mistaken for a scan.
    private func longestStall(_ way: Way, _ stream: Stream, after kind: Item.Kind) -> Int64 {
        let settings = way.settings
        var limits = [settings.recovery.wholeMicroseconds]
        if settings.terminators.isEmpty { limits.append(settings.idleTimeout.wholeMicroseconds) }
        let pause = settings.terminatorPause.wholeMicroseconds
        let ends = "\r\n".unicodeScalars + Array(settings.terminators.characters)
        let holdsAnEnd = stream.sent.contains { $0.unicodeScalars.contains { ends.contains($0) } }
        if pause > 0, holdsAnEnd { limits.append(pause) }
        switch kind {
        case .event, .lost, .unread: break
        case .unplugged, .claimed, .handedOver, .reloaded:
            limits.append(Self.claimToKey + Self.spare)
        }
        return (limits.min() ?? 0) - Self.spare
    }

    /// Releases a key late; the kernel repeats the key while it is down.
    private mutating func hold(_ first: Int, _ items: inout [Item], _ stream: inout Stream) {
        let release = items[first...].firstIndex {
            $0.event?.type == InputEventType.key && $0.event?.value == 0
        }
        guard let release, let event = items[release].event else { return }
        let time = Int64.random(in: 1_000...15_000_000, using: &random)
        let start = items[release].microseconds
        for index in release..<items.count { items[index].microseconds += time }
        let key = KeyCode(rawValue: event.code)
        let repeats = stride(from: start, to: start + time, by: 250_000).flatMap { now in
            [KeyEvent.key(key, 2, at: now), .report(at: now)].map {
                Item(kind: .event($0), microseconds: now)
            }
        }
        items.insert(contentsOf: repeats, at: release)
        stream.damage.append("key of event \(release) held for \(time) µs")
    }

    private mutating func insert(
        _ kind: Item.Kind, at first: Int, _ items: inout [Item], _ stream: inout Stream
    ) {
        guard let index = items[first...].firstIndex(where: \.isChange) else { return }
        let next = items[index].microseconds
        let longest = min(next - items[index - 1].microseconds, Self.claimToKey)
        let before = Int64.random(in: 0...longest, using: &random)
        items.insert(Item(kind: kind, microseconds: next - before), at: index)
        stream.damage.append("\(kind) at \(index), \(before) µs before the next event")
    }
}

extension DamagedStreams {
    /// Returns an auto-repeat of each key that is down, as the reader reports them.
    private func reports(of down: [UInt16], at now: Int64) -> [Step] {
        down.map { .feed(.key(KeyCode(rawValue: $0), 2, at: now)) } + [.feed(.report(at: now))]
    }

    /// Returns the steps of a reader that receives the items.
    private mutating func steps(of items: [Item]) -> [Step] {
        let reportsTime = Bool.random(using: &random)
        var steps: [Step] = []
        /// The keys that are down, whether or not their events arrived.
        var down: [UInt16] = []
        var hasLost = false
        var reportIsDue = false
        for item in items {
            let now = item.microseconds
            if let event = item.event, event.type == InputEventType.key {
                down.removeAll { $0 == event.code }
                if event.value > 0 { down.append(event.code) }
            }
            switch item.kind {
            case .lost: hasLost = true
            case .unread: break
            case .event(var event):
                event.microseconds = now
                if hasLost {
                    // The newest event survives, and the loss is reported with its time. There is no `advance`,
                    // because a reader that is late has not checked the clock.
                    steps.append(.feed(.dropped(at: now)))
                    reportIsDue = true
                } else if reportsTime {
                    steps.append(.advance(now))
                }
                hasLost = false
                steps.append(.feed(event))
                if reportIsDue, event.type == InputEventType.syn {
                    steps += reports(of: down, at: now)
                    reportIsDue = false
                }
            case .unplugged: steps.append(.disconnect(now))
            case .claimed: steps += [.claim(now)] + reports(of: down, at: now)
            case .handedOver: steps += [.handOver(now)] + reports(of: down, at: now)
            case .reloaded: steps += [.reload(now)] + reports(of: down, at: now)
            }
        }
        return steps
    }
}

extension [KeyEvent] {
    /// Returns events for the same text in which modifiers are held from one character to the next, and across `keys`,
    /// which mean the same with and without modifiers.
    fileprivate func holding(_ modifiers: [KeyCode], across keys: Set<KeyCode>) -> [KeyEvent] {
        modifiers.reduce(self) { $0.holding($1, across: keys) }
    }

    private func holding(_ modifier: KeyCode, across keys: Set<KeyCode>) -> [KeyEvent] {
        var result: [KeyEvent] = []
        /// The index of the modifier's release, if only `keys` were pressed since.
        var release: Int?
        for event in self {
            let key = KeyCode(rawValue: event.code)
            if event.type == InputEventType.key {
                if key == modifier, event.value == 1, let index = release {
                    result.removeSubrange(index...index + 1)
                    release = nil
                    continue
                }
                if key == modifier, event.value == 0 {
                    release = result.count
                } else if !keys.contains(key) {
                    release = nil
                }
            }
            result.append(event)
        }
        return result
    }
}
