import Synchronization

/// What was reported, in order.
package final class Sentences: Sendable {
    private let state = Mutex<[String]>([])

    /// Nothing yet.
    package init() {}

    /// All that was reported.
    package var lines: [String] { state.withLock { $0 } }

    /// Adds a sentence.
    ///
    /// - Parameter sentence: The sentence.
    package func add(_ sentence: String) { state.withLock { $0.append(sentence) } }
}
