import Keystrokes
import Recordings

/// The devices of a recording, each with the keys it is in the midst of.
struct RecordedDevices {
    /// What came out, from which scanner.
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    private struct Device {
        let identity: DeviceIdentity?
        let label: ScannerLabel
        var assembler: ScanAssembler
    }

    private let section: (DeviceIdentity?) -> RecordingPlayer.Section
    /// The one whose events come.
    private var current: Device
    /// Those whose scans have not ended.
    private var others: [Device] = []
    /// What came out and has not been asked for.
    private var waiting: ArraySlice<Played> = []

    /// Begins with the device of a recording that says nothing of its device.
    init(section: @escaping (DeviceIdentity?) -> RecordingPlayer.Section) {
        self.section = section
        current = Self.device(nil, section)
    }

    /// What came out first of what has not been asked for.
    mutating func next() -> Played? { waiting.popFirst() }

    @inline(__always)
    mutating func feed(_ event: KeyEvent) {
        if !others.isEmpty { advanceOthers(to: event.microseconds) }
        let outcome = current.assembler.feed(event)
        if case .nothing = outcome { return }
        waiting.append(Played(label: current.label, outcome: outcome))
    }

    /// Another device's recording begins, and the one before it is over.
    mutating func begin(_ identity: DeviceIdentity) {
        end { $0.finish() }
        current = Self.device(identity, section)
    }

    /// The events that follow are another device's, at the same time as those before.
    mutating func turn(to identity: DeviceIdentity) {
        guard identity != current.identity else { return }
        others.append(current)
        if let index = others.firstIndex(where: { $0.identity == identity }) {
            current = others.remove(at: index)
        } else {
            current = Self.device(identity, section)
        }
    }

    /// No event follows.
    ///
    /// - Parameter close: Ends what an assembler is in the midst of.
    mutating func end(_ close: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        others.append(current)
        update(close)
        others = []
    }

    private mutating func advanceOthers(to now: Int64) {
        let isDue = others.contains { ($0.assembler.deadlineMicroseconds ?? .max) <= now }
        if isDue { update { $0.advance(to: now) } }
    }

    /// Asks all but the current one, in the order in which their scans would end.
    private mutating func update(_ ask: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        others.sort {
            ($0.assembler.deadlineMicroseconds ?? .max)
                < ($1.assembler.deadlineMicroseconds ?? .max)
        }
        for index in others.indices {
            let outcome = ask(&others[index].assembler)
            if case .nothing = outcome { continue }
            waiting.append(Played(label: others[index].label, outcome: outcome))
        }
    }

    private static func device(
        _ identity: DeviceIdentity?, _ section: (DeviceIdentity?) -> RecordingPlayer.Section
    ) -> Device {
        let section = section(identity)
        return Device(
            identity: identity, label: section.label,
            assembler: ScanAssembler(settings: section.settings))
    }
}
