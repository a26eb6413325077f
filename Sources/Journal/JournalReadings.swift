import GRDB
import Synchronization

/// Reads a journal's file on a thread of its own.
final class JournalReadings: Sendable {
    private let thread = JournalThread()
    private let queue = Mutex<DatabaseQueue?>(nil)
    private let path = Mutex("")

    /// Starts the thread.
    func start(path: String) throws {
        self.path.withLock { $0 = path }
        try thread.start()
    }

    /// Reads in one state of the file.
    ///
    /// - Throws: ``JournalTrouble``, and what `body` throws of ``JournalError``.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await thread.run { try self.readNow(body) }
    }

    /// The same, on the thread itself.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try connection().read(body)
        } catch {
            throw JournalTrouble(error)
        }
    }

    /// Lets go of the file, so that it can be put aside; the next reading opens it again.
    func closeConnections() {
        thread.runAndWait { self.closeNow() }
    }

    /// Does something on the thread, behind what is being read.
    func enqueue(_ body: @escaping @Sendable () -> Void) { thread.enqueue(body) }

    /// Ends the thread, behind what it has to do, and waits until it has let go of the file.
    func end() {
        closeConnections()
        thread.end()
    }

    /// Returns once the thread has ended by itself.
    func ended() async {
        while (try? await thread.run {}) != nil {}
    }

    /// Has the thread let go of the file and end; called on it.
    func endSoon() {
        closeNow()
        thread.end()
    }

    private func closeNow() {
        queue.withLock { queue in
            queue.take().map(JournalConnection.close)
        }
    }

    private func connection() throws -> DatabaseQueue {
        try queue.withLock { queue in
            if let queue { return queue }
            let new = try JournalConnection.reading(path: path.withLock { $0 })
            queue = new
            return new
        }
    }
}
