import CMosquitto
import WireText

/// A delivery of events to a broker; it settles them in order, even if acknowledgements arrive out of order.
///
/// An event is settled once it and all earlier events have a final verdict. If the connection breaks, unsettled events
/// are sent again, so an event may arrive after up to `window` - 1 later ones (see ``next(window:)``).
struct MQTTDelivery: Sendable {
    /// The verdict on an event, and whether the event had a subscriber, if known.
    typealias Settled = (index: Int, verdict: Verdict, isHeard: Bool?)

    let events: [MQTTEvent]
    /// Whether events are sent one at a time to find out which of them the broker rejects.
    private(set) var isSingle = false
    /// Whether an event must be delivered again because it had no subscriber.
    private(set) var lacksSubscriber = false
    /// When to stop waiting for acknowledgements; nil unless the delivery has been cancelled.
    var giveUpBy: ContinuousClock.Instant?
    private var settled = 0
    /// The events that were sent or refused, but are not settled: their or an earlier event's verdict is missing.
    private var sent: [(id: Int32, answer: OutletAnswer?, isHeard: Bool?)] = []

    init(_ events: [MQTTEvent]) { self.events = events }

    var isSettled: Bool { settled == events.count }

    var isInFlight: Bool { sent.contains { $0.answer == nil } }

    /// Why a sent event must be sent again later; nil if none must.
    var hold: String? {
        for case .later(let reason, _)? in sent.map(\.answer) { return reason }
        return nil
    }

    /// Returns the event to send next, or nil; at most `window` sent events may be unsettled.
    func next(window: Int) -> MQTTEvent? {
        guard sent.count < (isSingle ? 1 : window), hold == nil else { return nil }
        return events.dropFirst(settled + sent.count).first
    }

    /// Returns the unanswered event that was sent with message number `id`, or nil.
    func event(sentAs id: Int32) -> MQTTEvent? {
        index(of: id).map { events[settled + $0] }
    }

    /// Records that the event from ``next(window:)`` was sent with message number `id`.
    mutating func sent(as id: Int32) { sent.append((id, nil, nil)) }

    /// Records that the next event can never be sent; returns the events settled by this.
    mutating func refused(_ reason: String) -> [Settled] {
        sent.append((0, .settled(.refused(reason)), nil))
        return settle()
    }

    /// Records the broker's answer to an event; returns the events that this settles, earliest first.
    mutating func answered(_ id: Int32, _ answer: OutletAnswer, isHeard: Bool? = nil) -> [Settled] {
        guard let index = index(of: id) else { return [] }
        sent[index].answer = answer
        sent[index].isHeard = isHeard
        return settle()
    }

    /// Records that an event had no subscriber and must be delivered again later.
    mutating func lacksSubscriber(_ id: Int32, of topic: String) {
        guard let index = index(of: id) else { return }
        sent[index].answer = .later("the broker reports no subscriber of \(topic)")
        lacksSubscriber = true
    }

    /// Records that the broker ended the connection because of an event; returns the events that this settles.
    ///
    /// If exactly one event was unanswered, it is refused. Otherwise, events are sent one at a time from now on.
    mutating func blamed(_ reason: String) -> [Settled] {
        let open = sent.filter { $0.answer == nil }
        if open.count == 1 { return answered(open[0].id, .settled(.refused(reason))) }
        isSingle = true
        return []
    }

    /// Records that the connection is gone; all unsettled events are sent again over the next connection.
    mutating func disconnected() { (sent, lacksSubscriber) = ([], false) }

    private func index(of id: Int32) -> Int? {
        sent.firstIndex { $0.id == id && $0.answer == nil }
    }

    private mutating func settle() -> [Settled] {
        var result: [Settled] = []
        while let first = sent.first, case .settled(let verdict)? = first.answer {
            sent.removeFirst()
            result.append((settled, verdict, first.isHeard))
            settled += 1
        }
        return result
    }
}

/// A code with which a broker reports success or the reason for a failure (MQTT 5.0, section 2.4).
struct MQTTReason: Equatable, Sendable {
    let code: Int32
    static let sessionTakenOver = MQTTReason(0x8E)
    static let unsupportedVersion = MQTTReason(0x84)

    init(_ code: Int32) { self.code = code }

    var isWithoutSubscriber: Bool { code == 0x10 }
    var isRefusal: Bool { code >= 0x80 }
    /// Whether the code means that the broker will never accept the message.
    ///
    /// This is the case for an invalid topic name, a packet that is too large, and an invalid payload format. All
    /// other codes concern the client, its permissions or the broker's state, which may change.
    var isAboutMessage: Bool { [0x90, 0x95, 0x99].contains(code) }

    var answer: OutletAnswer {
        guard isRefusal else { return .settled(.taken) }
        guard isAboutMessage else { return .later("it refuses an event: \(words)") }
        return .settled(.refused(words))
    }

    /// The reason in words, and its code in hexadecimal, such as `not authorized (0x87)`.
    var words: String { words(mosquitto_reason_string) }

    func words(_ text: (Int32) -> UnsafePointer<CChar>?) -> String {
        let digits = code.padded(to: 2, radix: 16).uppercased()
        return "\(Self.sentence(text(code)).lowercased()) (0x\(digits))"
    }

    /// Returns libmosquitto's message without a full stop or a prefix such as `Connection error: `.
    static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        var words = text.map { String(cString: $0) } ?? "unknown error"
        if words.hasSuffix(".") { words.removeLast() }
        for prefix in ["Connection Refused: ", "Connection error: "] where words.hasPrefix(prefix) {
            words.removeFirst(prefix.count)
        }
        return words
    }
}
