/// Which messages of a list are on their way, acknowledged and settled.
///
/// Messages are settled in their order, whatever the order of the acknowledgements.
struct MQTTDelivery: Equatable, Sendable {
    /// How far it has come.
    enum State: Equatable, Sendable {
        /// Messages are to be sent, or acknowledged.
        case going
        /// All messages are settled.
        case done
        /// The first message that is not settled is to be given again: why.
        case stopped(String)
    }

    /// How many messages there are.
    let count: Int
    /// Whether a message that nobody has subscribed to is to be given again.
    let holdsUnsubscribed: Bool
    /// How many messages are settled.
    private(set) var settledCount = 0
    /// Whether a message was taken that nobody has subscribed to.
    private(set) var hasUnsubscribed = false
    /// The message to be sent next.
    private var next = 0
    private var inFlight: [Int32: Int] = [:]
    private var verdicts: [Int: Verdict] = [:]
    private var reason: String?

    init(count: Int, holdsUnsubscribed: Bool) {
        self.count = count
        self.holdsUnsubscribed = holdsUnsubscribed
    }

    /// How far it has come.
    var state: State {
        if settledCount == count { return .done }
        // What is on its way is waited for: its acknowledgement would come to nobody.
        if let reason, inFlight.isEmpty { return .stopped(reason) }
        return .going
    }

    /// Whether an acknowledgement is waited for.
    var isWaiting: Bool { !inFlight.isEmpty }

    /// The message that may be sent now; nil for none.
    ///
    /// - Parameter window: How many messages may be on their way.
    /// - Returns: Its index.
    func sendable(window: Int) -> Int? {
        let limit = holdsUnsubscribed ? 1 : window
        return reason == nil && next < count && inFlight.count < limit ? next : nil
    }

    /// Notes that the next message was sent.
    mutating func sent(id: Int32) {
        inFlight[id] = next
        next += 1
    }

    /// Notes that the next message cannot be sent at all, and gives what is settled by that.
    mutating func refusedNext(_ reason: String) -> [(index: Int, verdict: Verdict)] {
        verdicts[next] = .refused(reason)
        next += 1
        return settle()
    }

    /// Notes an acknowledgement, and gives what is settled by it, in order.
    mutating func acknowledged(
        id: Int32, reason code: Int32
    ) -> [(index: Int, verdict: Verdict)] {
        guard let index = inFlight.removeValue(forKey: id) else { return [] }
        let isUnsubscribed = code == MQTTReason.noMatchingSubscribers
        hasUnsubscribed = hasUnsubscribed || isUnsubscribed
        if isUnsubscribed, holdsUnsubscribed {
            reason = "nobody has subscribed to it"
        } else if let verdict = MQTTReason.verdict(code) {
            verdicts[index] = verdict
        } else {
            // The first in order says why: it is the one that is given again.
            reason = reason ?? "it refuses an event: \(MQTTReason.words(code))"
        }
        return settle()
    }

    /// Notes that the connection broke: what was not settled is sent again.
    mutating func disconnected() {
        inFlight = [:]
        verdicts = [:]
        next = settledCount
    }

    private mutating func settle() -> [(index: Int, verdict: Verdict)] {
        var settled: [(index: Int, verdict: Verdict)] = []
        while let verdict = verdicts.removeValue(forKey: settledCount) {
            settled.append((settledCount, verdict))
            settledCount += 1
        }
        return settled
    }
}
