import Synchronization

/// Keeps what an example prints.
final class PrintedLines: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func print(_ line: String) { lines.withLock { $0.append(line) } }
}
