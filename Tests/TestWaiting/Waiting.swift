import Foundation

extension Duration {
    /// How long a test waits for something before it fails.
    ///
    /// Even a slow machine needs less time, so this only ends tests that would otherwise wait forever. Tests also use
    /// it for every time limit that they do not test.
    package static let patience = Duration.seconds(600)

    /// Time limits to try one after another if nothing ever answers, because a busy machine may not reach the tested
    /// step within the short ones.
    package static let rising: [Duration] = [
        .milliseconds(250), .seconds(1), .seconds(8), .seconds(64),
    ]
}

/// A test waited in vain for something.
package struct StillWaiting: Error, CustomStringConvertible {
    private let what: String

    /// - Parameter what: What did not happen, as the object of "waited for".
    package init(for what: String) { self.what = what }

    package var description: String { "waited ten minutes for \(what)" }
}

/// Lets other tasks run until a condition is true.
///
/// - Parameters:
///   - what: What the test waits for, as the object of "waited for".
///   - isolation: The actor on which the condition runs.
///   - condition: Returns whether to stop waiting.
/// - Throws: ``StillWaiting`` after ``Duration/patience``, and any error thrown by the condition.
package func waitUntil(
    _ what: String, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let limit = ContinuousClock.now + .patience
    while try await !condition() {
        guard ContinuousClock.now < limit else { throw StillWaiting(for: what) }
        // Yielding would keep a core busy that a server or another process may need.
        try await Task.sleep(for: .milliseconds(1))
    }
}
