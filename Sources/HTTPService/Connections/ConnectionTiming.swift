/// Decides when a connection is closed because nothing moves on it.
///
/// It is told what happens with the time, and asked now and then what is to be done.
struct ConnectionTiming<Instant: InstantProtocol> where Instant.Duration == Duration {
    /// What is to be done.
    enum Verdict: Equatable {
        /// The connection is closed.
        case close
        /// It is asked again then, at the latest.
        case look(at: Instant)
        /// It is asked again when the client is so far behind that no more is written.
        case rest
    }

    private let limits: ConnectionLimits
    /// Whether the connection has shown the token.
    private(set) var isKnown = false
    /// Whether the content of a request is coming.
    private(set) var isReading = false
    private var unanswered = 0
    private var isStreaming = false
    /// Whether the connection ends behind the answer that is being written.
    private(set) var isEnding = false
    /// Since when the client is expected to send.
    private var since: Instant
    /// How many bytes of answers were not taken when they were last looked at.
    private var left = 0
    private var progressed: Instant

    /// Begins with a connection that has just come.
    init(limits: ConnectionLimits, at now: Instant) {
        self.limits = limits
        since = now
        progressed = now
    }

    /// The head of a request has come; `isKnown` where it shows the token.
    mutating func requestBegan(isKnown: Bool, at now: Instant) {
        if isKnown { self.isKnown = true }
        isReading = true
        unanswered += 1
        since = now
    }

    /// The content of a request has come to its end.
    mutating func requestEnded() {
        isReading = false
    }

    /// The head of an answer was written whose content has no end that is known.
    mutating func streamBegan() {
        isStreaming = true
    }

    /// The head of an answer was written behind which the connection ends: what else was asked is not
    /// answered.
    mutating func lastAnswerBegan() {
        isEnding = true
    }

    /// The end of an answer was written.
    ///
    /// - Returns: When to ask what is to be done.
    mutating func answered(at now: Instant) -> Instant {
        unanswered = isEnding ? 0 : unanswered - 1
        isStreaming = false
        if unanswered == 0, !isReading { since = now }
        return now.advanced(by: limits.writing / 10)
    }

    /// Whether all that was asked is answered.
    var isAtRest: Bool { unanswered == 0 }

    /// Says what is to be done.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - pending: How many bytes of answers the client has not taken.
    /// - Returns: What is to be done.
    mutating func verdict(at now: Instant, pending: Int) -> Verdict {
        if pending > 0 {
            if left == 0 || pending < left { progressed = now }
            left = pending
            let end = progressed.advanced(by: limits.writing)
            return end <= now
                ? .close : .look(at: min(end, now.advanced(by: limits.writing / 10)))
        }
        if left > 0 {
            left = 0
            since = now
        }
        if isStreaming, !isReading { return .rest }
        // The answer is made, and the client waits.
        if unanswered > 0, !isReading { return .look(at: now.advanced(by: limits.writing / 10)) }
        let end = since.advanced(by: limit)
        return end <= now ? .close : .look(at: end)
    }

    /// For how long nothing may come.
    private var limit: Duration {
        if isReading || !isKnown { return limits.request }
        return isEnding ? limits.writing : limits.idle
    }
}
