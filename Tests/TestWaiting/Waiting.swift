import Foundation

extension Duration {
    /// How long a test waits for what must happen before it fails.
    ///
    /// No machine takes this long for any of it: it only ends a test that waits for what never comes.
    /// Whatever a test hands a deadline gets this one, unless the deadline is what it tests.
    package static let patience = Duration.seconds(600)

    /// Deadlines to try one after another where nothing ever answers: a busy machine may not reach
    /// the step in question before the short ones.
    package static let rising: [Duration] = [
        .milliseconds(250), .seconds(1), .seconds(8), .seconds(64),
    ]
}

/// A test waited for something that did not come.
package struct StillWaiting: Error, CustomStringConvertible {
    private let what: String

    /// - Parameter what: What did not come, as the object of "waited for".
    package init(for what: String) { self.what = what }

    /// One sentence.
    package var description: String { "waited ten minutes for \(what)" }
}

/// Lets other tasks run until something holds.
///
/// - Parameters:
///   - what: What the test waits for, as the object of "waited for".
///   - isolation: Where the condition runs.
///   - condition: Whether it holds.
/// - Throws: ``StillWaiting`` once ``Duration/patience`` is over, and what the condition throws.
package func waitUntil(
    _ what: String, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let limit = ContinuousClock.now + .patience
    while try await !condition() {
        guard ContinuousClock.now < limit else { throw StillWaiting(for: what) }
        // Yielding alone would keep a core busy that a server or another process needs.
        try await Task.sleep(for: .milliseconds(1))
    }
}
