package import Journal

/// Where a durable sink's events go: a broker, a web server, a command.
///
/// It is given committed events in order, and never two calls at once.
package protocol DurableOutlet: Sendable {
    /// Begins what goes on besides taking events; called once, before anything else.
    ///
    /// - Parameter reporter: Is told of trouble that has to do with no event.
    /// - Throws: What keeps the outlet from working at all, as a sentence.
    func begin(_ reporter: SinkStatusReporter) throws

    /// Takes events, in order.
    ///
    /// - Parameters:
    ///   - entries: The events.
    ///   - settled: Is told what became of an event, by its index: each once, in order, on any thread.
    /// - Returns: Why it stopped.
    func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome

    /// Ends what goes on besides taking events.
    func end() async
}

extension DurableOutlet {
    package func begin(_ reporter: SinkStatusReporter) throws {}
    package func end() async {}
}

/// What became of one event.
package enum Verdict: Equatable, Sendable {
    /// It was taken.
    case taken
    /// It is refused for good: why, in words. It becomes a dead letter.
    case refused(String)
}

/// Why an outlet stopped taking events.
package enum TakeOutcome: Equatable, Sendable {
    /// All events are settled.
    case all
    /// The first event that is not settled is to be given again: why, and the least time to wait.
    case later(String, after: Duration? = nil)
    /// No event is to be given again before somebody wants it: why.
    case off(String)
    /// The task was cancelled.
    case cancelled
}
