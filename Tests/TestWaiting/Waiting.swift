/// A test waited for something that did not come.
package struct StillWaiting: Error, CustomStringConvertible {
    let what: String

    /// One sentence.
    package var description: String { "waited four minutes for \(what)" }
}

/// Lets other tasks run until something holds.
///
/// - Parameters:
///   - what: What is waited for, as the object of "waited for".
///   - isolation: Where the condition is asked.
///   - condition: Whether it holds.
/// - Throws: ``StillWaiting`` after four minutes: far beyond what any of it takes, so that a test that
///   waits for what never comes fails and says so.
package func waitUntil(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async throws(StillWaiting) {
    let limit = ContinuousClock.now + .seconds(240)
    while await !condition() {
        guard ContinuousClock.now < limit else { throw StillWaiting(what: what) }
        await Task.yield()
    }
}
