package import Keystrokes

/// How a scanner is attached, with the details known before its node is opened.
package enum ScannerInterface: Hashable, Sendable {
    case keyboard(KeyCapabilities)
    case hidPOS(HIDPOSLayout)
    case serial

    /// The kind of an interface; the raw value is its name in events.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case keyboard
        case hidPOS = "hid-pos"
        case serial
    }

    package var kind: Kind {
        switch self {
        case .keyboard: .keyboard
        case .hidPOS: .hidPOS
        case .serial: .serial
        }
    }

    package var keys: KeyCapabilities? {
        if case .keyboard(let keys) = self { keys } else { nil }
    }

    /// Whether scans can arrive through this interface; false only for a keyboard that lacks digits, Enter or both.
    package var canScan: Bool { keys?.canTypeAScan ?? true }
}

package enum DeviceEvent: Hashable, Sendable {
    case key(KeyEvent)
    case byte(UInt8, at: Int64)
    /// A report from a HID device, including its number if the device numbers its reports.
    case report([UInt8], at: Int64)

    /// When the event arrived, in microseconds of the monotonic clock.
    package var microseconds: Int64 {
        get {
            switch self {
            case .key(let event): event.microseconds
            case .byte(_, let time), .report(_, let time): time
            }
        }
        set {
            switch self {
            case .key(var event):
                event.microseconds = newValue
                self = .key(event)
            case .byte(let byte, _): self = .byte(byte, at: newValue)
            case .report(let bytes, _): self = .report(bytes, at: newValue)
            }
        }
    }

    /// Whether the kernel, not this process, normally sets the time of an event of this kind.
    var hasKernelTime: Bool { if case .key = self { true } else { false } }

    package var isLoss: Bool {
        guard case .key(let event) = self else { return false }
        return event.type == InputEventType.syn && event.code == SynCode.dropped
    }

    /// Returns the events that signal a possible loss of earlier events: `SYN_DROPPED` and `SYN_REPORT`.
    static func loss(at time: Int64) -> [DeviceEvent] {
        [.key(.dropped(at: time)), .key(.report(at: time))]
    }
}

/// Events of a scanner's nodes, held back because an earlier event of another node may still arrive.
struct EventOrder {
    /// How much later than its timestamp an event may reach the kernel's buffer, in microseconds.
    static let settlingTime: Int64 = 1_000
    var waiting: [DeviceEvent] = []

    /// Removes the events up to `time` and returns them, earliest first.
    mutating func removeEvents(upTo time: Int64) -> [DeviceEvent] {
        let ordered = waiting.enumerated()
            .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }
            .map(\.element)
        let settled = ordered.prefix { $0.microseconds <= time }
        waiting = Array(ordered[settled.endIndex...])
        return Array(settled)
    }
}

/// An assembler that turns a scanner's events into scans, for every kind of interface.
package struct InterfaceAssembler: Sendable {
    private let layout: HIDPOSLayout?
    package var scans: ScanAssembler
    private var answersUntil: Int64?

    /// Creates an assembler for an interface, and adapts `settings` to that interface.
    package init(_ interface: ScannerInterface, settings: ScanSettings) {
        switch interface {
        case .keyboard: (layout, scans) = (nil, ScanAssembler(settings: settings))
        case .hidPOS(let layout):
            (self.layout, scans) = (layout, ScanAssembler(settings: settings.forWholeCodes))
        case .serial: (layout, scans) = (nil, ScanAssembler(settings: settings.forBytes))
        }
    }

    /// Processes an event, and emits the scans and rejections that it, or the pause before it, completes.
    package mutating func feed(
        _ event: DeviceEvent, _ emit: (ScanAssembler.Outcome) -> Void
    ) {
        switch event {
        case .key(let event): emit(scans.feed(event))
        case .byte(let byte, let time):
            guard !isAnswer(byte) else { return }
            emit(scans.feed(byte: byte, at: time))
        case .report(let bytes, let time):
            guard let part = layout?.part(of: bytes), !isAnswer(part, at: time) else { return }
            emit(scans.advance(to: time))
            emit(scans.feed(part, at: time))
        }
    }
}

extension InterfaceAssembler {
    /// How long after a signal, such as a beep, a code with ``answerIdentifier`` is an answer, in microseconds.
    private static let answerTime: Int64 = 2_000_000
    /// The AIM identifier with which Honeywell's scanners mark an answer to a command.
    private static let answerIdentifier = "]X0"
    /// ACK and NAK, the bytes with which serial scanners answer commands; no retail symbol contains them.
    private static let answerBytes: Set<UInt8> = [0x06, 0x15]

    /// Records that the scanner may answer a signal, so its answer is not read as a scan.
    mutating func expectAnswer(at time: Int64) { answersUntil = time.later(by: Self.answerTime) }

    private func isAnswer(_ part: CodePart, at time: Int64) -> Bool {
        part.aim == Self.answerIdentifier && answersUntil.map { time <= $0 } == true
    }

    /// Whether a byte answers a signal to the scanner, however late: a busy computer may delay reading it.
    private func isAnswer(_ byte: UInt8) -> Bool {
        Self.answerBytes.contains(byte) && answersUntil != nil && !scans.isInMidScan
    }
}
