import Synchronization

/// What an example has printed.
final class PrintedLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// The lines so far.
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Adds a line.
    func print(_ line: String) { lines.withLock { $0.append(line) } }
}
