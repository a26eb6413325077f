/// Events on their way to a broker.
///
/// Event n + `window` is sent once event n is settled; events are settled in order, whatever the order of the
/// acknowledgements. After a broken connection everything unsettled is sent again, in order. So an event can
/// overtake another only if a broker loses the other one in flight, and by less than `window`.
struct MQTTDelivery: Sendable {
    typealias Settled = (index: Int, verdict: Verdict)

    let messages: [MQTTMessage]
    /// How many events are settled.
    private var settled = 0
    /// How many events are settled, or were sent over this connection.
    private var sent = 0
    /// Which event has which message number.
    private var inFlight: [Int32: Int] = [:]
    private var verdicts: [Int: Verdict] = [:]
    /// Why the first unsettled event must be delivered again later; nothing more is sent.
    private(set) var hold: String?
    /// Whether events go out one at a time, so that a broker's complaint can only be about one.
    private(set) var isSingle = false

    init(_ messages: [MQTTMessage]) { self.messages = messages }

    var isSettled: Bool { settled == messages.count }

    /// Whether an acknowledgement is outstanding.
    var isInFlight: Bool { !inFlight.isEmpty }

    /// The event that may be sent now.
    func next(window: Int) -> MQTTMessage? {
        let end = min(messages.count, settled + (isSingle ? 1 : window))
        return hold == nil && sent < end ? messages[sent] : nil
    }

    /// Records that the next event is on its way.
    mutating func published(as id: Int32) {
        inFlight[id] = sent
        sent += 1
    }

    /// Records that the next event cannot be sent; returns what is settled now, in order.
    mutating func refused(_ reason: String) -> [Settled] {
        verdicts[sent] = .refused(reason)
        sent += 1
        return settle()
    }

    /// Records an acknowledgement; returns what is settled now, in order.
    mutating func acknowledged(
        _ id: Int32, _ answer: MQTTAnswer, holdsUnsubscribed: Bool
    ) -> [Settled] {
        guard let index = inFlight.removeValue(forKey: id) else { return [] }
        switch answer {
        case .unsubscribed where holdsUnsubscribed: hold = "nobody has subscribed to it"
        case .accepted, .unsubscribed: verdicts[index] = .taken
        case .refused(let reason): verdicts[index] = .refused(reason)
        // Brokers acknowledge in order: the first reason belongs to the first event to be sent again.
        case .notNow(let reason): hold = hold ?? "it refuses an event: \(reason)"
        }
        return settle()
    }

    /// Records that the broker ended the connection because of a message; returns what is settled now.
    ///
    /// If only one was in flight, it is refused; otherwise events go out one at a time from now on.
    mutating func rejected(_ reason: String) -> [Settled] {
        guard inFlight.count == 1, let index = inFlight.values.first else {
            isSingle = true
            return []
        }
        verdicts[index] = .refused(reason)
        return settle()
    }

    /// Records that the connection is gone: the next one gets everything unsettled.
    mutating func disconnected() {
        inFlight = [:]
        verdicts = [:]
        hold = nil
        sent = settled
    }

    private mutating func settle() -> [Settled] {
        var result: [Settled] = []
        while let verdict = verdicts.removeValue(forKey: settled) {
            result.append((settled, verdict))
            settled += 1
        }
        return result
    }
}
