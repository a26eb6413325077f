import Synchronization

/// What was reported, in order.
final class Sentences: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ sentence: String) { state.withLock { $0.append(sentence) } }
}
