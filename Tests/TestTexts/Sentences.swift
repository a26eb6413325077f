import Synchronization

/// Keeps reported messages in the order in which they were added.
package final class Sentences: Sendable {
    private let state = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { state.withLock { $0 } }

    package func add(_ sentence: String) { state.withLock { $0.append(sentence) } }
}
