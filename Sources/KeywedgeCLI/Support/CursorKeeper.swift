import EventService
import Journal
import WireText

/// Tells the daemon how far a consumer got, the newest place each time: while that is written to the
/// disk, events go on.
actor CursorKeeper {
    private let client: EventClient
    private let consumer: String
    private var wanted: Cursor?
    private var moving: Task<Void, any Error>?
    private var lastTrouble: String?

    init(client: EventClient, consumer: String) {
        self.client = client
        self.consumer = consumer
    }

    /// Takes the next place, and waits for nothing.
    func move(to cursor: Cursor) {
        wanted = cursor
        begin()
    }

    /// Waits until the last place is on the disk.
    ///
    /// - Throws: Why it is not.
    func finish() async throws {
        if wanted != nil { begin() }
        try await moving?.value
    }

    private func begin() {
        if moving == nil { moving = Task { try await moveAll() } }
    }

    private func moveAll() async throws {
        defer { moving = nil }
        while let cursor = wanted {
            wanted = nil
            do {
                try await client.move(consumer, to: .after(cursor))
                lastTrouble = nil
            } catch {
                tell("\(error)")
                // An event that came meanwhile may be the last for long: its place is told now.
                if wanted != nil { continue }
                let isFinal = (error as? EventClientError).map { !$0.isTransient } ?? false
                // With the next event, or the next connection.
                if !isFinal { wanted = cursor }
                throw error
            }
        }
    }

    /// Says why the place is not kept, once as long as it is the same.
    private func tell(_ trouble: String) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        StandardError.write(
            "keywedge: the cursor of \(consumer.quoted(upTo: .max)) is not moved: "
                + "\(Escaping.sentence.escaped(trouble)); events may come again")
    }
}
