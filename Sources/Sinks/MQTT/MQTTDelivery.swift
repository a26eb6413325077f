import CMosquitto

/// Events on their way to a broker, settled in order, whatever the order of the acknowledgements.
///
/// Event n + `window` is sent once event n is settled, and after a broken connection everything unsettled is
/// sent again, in order. So an event can overtake another only if a broker loses that one in flight, and by less
/// than `window`.
struct MQTTDelivery: Sendable {
    typealias Settled = (index: Int, verdict: Verdict)

    let messages: [MQTTMessage]
    /// Whether events go out one at a time, so that a broker's complaint can only be about one.
    private(set) var isSingle = false
    /// When to give up although acknowledgements are outstanding; nil unless the delivery is cancelled.
    var giveUpBy: ContinuousClock.Instant?
    private var settled = 0
    /// The events after the settled ones that were sent over this connection: message numbers and answers.
    private var sent: [(id: Int32, answer: OutletAnswer?)] = []

    init(_ messages: [MQTTMessage]) { self.messages = messages }

    var isSettled: Bool { settled == messages.count }

    /// Whether an acknowledgement is outstanding.
    var isInFlight: Bool { sent.contains { $0.answer == nil } }

    /// Why an event must be delivered again later; nothing more is sent.
    var hold: String? {
        for case .later(let reason, _)? in sent.map(\.answer) { return reason }
        return nil
    }

    /// The event that may be sent now.
    func next(window: Int) -> MQTTMessage? {
        guard sent.count < (isSingle ? 1 : window), hold == nil else { return nil }
        return messages.dropFirst(settled + sent.count).first
    }

    /// Records that the next event is on its way.
    mutating func sent(as id: Int32) { sent.append((id, nil)) }

    /// Records that the next event cannot be sent; returns what is settled now, in order.
    mutating func refused(_ reason: String) -> [Settled] {
        sent.append((0, .settled(.refused(reason))))
        return settle()
    }

    /// Records the broker's answer to an event; returns what is settled now, in order.
    mutating func answered(_ id: Int32, _ answer: OutletAnswer) -> [Settled] {
        // An answer that is not expected is of no interest.
        guard let index = sent.firstIndex(where: { $0.id == id && $0.answer == nil }) else {
            return []
        }
        sent[index].answer = answer
        return settle()
    }

    /// Records that the broker ended the connection because of an event; returns what is settled now.
    ///
    /// If only one was in flight, it is refused; otherwise events go out one at a time from now on.
    mutating func blamed(_ reason: String) -> [Settled] {
        let open = sent.filter { $0.answer == nil }
        if open.count == 1 { return answered(open[0].id, .settled(.refused(reason))) }
        isSingle = true
        return []
    }

    /// Records that the connection is gone: the next one gets everything unsettled.
    mutating func disconnected() { sent = [] }

    private mutating func settle() -> [Settled] {
        var result: [Settled] = []
        while case .settled(let verdict)? = sent.first?.answer {
            sent.removeFirst()
            result.append((settled, verdict))
            settled += 1
        }
        return result
    }
}

/// A reason code: MQTT 5.0, section 2.4.
struct MQTTReason: Equatable, Sendable {
    let code: Int32

    static let sessionTakenOver = MQTTReason(0x8E)
    static let unsupportedVersion = MQTTReason(0x84)

    init(_ code: Int32) { self.code = code }

    var isWithoutSubscriber: Bool { code == 0x10 }
    var isRefusal: Bool { code >= 0x80 }
    /// Topic name invalid, packet too large, payload format invalid: true of the message for ever.
    ///
    /// All others are about the client, its rights or the broker's state, which may change.
    var isAboutMessage: Bool { [0x90, 0x95, 0x99].contains(code) }

    /// The meaning of an answer to an event.
    func answer(holdsUnsubscribed: Bool) -> OutletAnswer {
        if isWithoutSubscriber, holdsUnsubscribed { return .later("nobody has subscribed to it") }
        guard isRefusal else { return .settled(.taken) }
        guard isAboutMessage else { return .later("it refuses an event: \(words)") }
        return .settled(.refused(words))
    }

    /// In words: `not authorized (0x87)`.
    var words: String { words(mosquitto_reason_string) }

    func words(_ text: (Int32) -> UnsafePointer<CChar>?) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return
            "\(Self.sentence(text(code)).lowercased()) (0x\(digits.count < 2 ? "0" : "")\(digits))"
    }

    /// A text of libmosquitto without its full stop and its first words, which say nothing.
    static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        var words = text.map { String(cString: $0) } ?? "unknown error"
        if words.hasSuffix(".") { words.removeLast() }
        for prefix in ["Connection Refused: ", "Connection error: "] where words.hasPrefix(prefix) {
            words.removeFirst(prefix.count)
        }
        return words
    }
}
