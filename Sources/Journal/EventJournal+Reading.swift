import GRDB
import Synchronization

extension EventJournal {
    /// Reads events that are on the disk, in their order.
    ///
    /// - Parameters:
    ///   - cursor: Where it begins; nil for the oldest event there is.
    ///   - limit: How many events it has at the most.
    /// - Returns: The events behind the cursor, and what is missing between.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func page(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        try await read { try PageReading($0).page(after: cursor, limit: limit) }
    }

    /// How far a reader got.
    ///
    /// - Parameter reader: The reader.
    /// - Returns: Its cursor; nil for one the journal has never seen.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func cursor(of reader: JournalReader) async throws -> Cursor? {
        try await read { db in
            let epoch = try JournalState(db).epoch
            return try CursorRow.sequence(of: reader, db).map {
                Cursor(epoch: epoch, sequence: $0)
            }
        }
    }

    /// The cursor ahead of the oldest event there is.
    ///
    /// - Returns: The cursor.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func oldest() async throws -> Cursor { try await read { try JournalState($0).oldest } }

    /// All readers, and how far each got.
    ///
    /// - Returns: Their cursors.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func cursors() async throws -> [JournalReader: Cursor] {
        try await read { db in
            let epoch = try JournalState(db).epoch
            return try CursorRow.all(db).mapValues { Cursor(epoch: epoch, sequence: $0) }
        }
    }

    /// Dead letters, in the order in which they were refused.
    ///
    /// - Parameters:
    ///   - sink: The sink; nil for those of all.
    ///   - isToBeSent: Only those that somebody asked to be sent again.
    ///   - number: Those behind this one; 0 for all.
    ///   - limit: How many at the most.
    /// - Returns: The dead letters.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func deadLetters(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0, limit: Int
    ) async throws -> [DeadLetter] {
        try await read { db in
            try DeadLetterRow.letters(
                of: sink, toBeSent: isToBeSent, after: number, limit: limit, db)
        }
    }

    /// Reads on the reading thread, in one state of the file.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let (trouble, replacements) = state.withLock {
            ($0.isClosed ? .closed : $0.readingTrouble, $0.replacements)
        }
        if let trouble { throw trouble }
        do {
            return try await readings.read(body)
        } catch let trouble as JournalTrouble {
            if case .damage(let damage) = trouble {
                mend(damage, foundBehind: replacements)
            }
            throw trouble.error(path: settings.file)
        }
    }
}

extension EventJournal.State {
    /// Why nothing can be read; a full disk is no reason.
    var readingTrouble: JournalError? {
        if case .damaged = trouble { trouble } else { nil }
    }
}
