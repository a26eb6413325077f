import Journal
import Synchronization

/// The stream that reads as a consumer.
final class ConsumerReader: Sendable {
    /// The consumer's name.
    let name: String
    /// Wakes the stream.
    let signal = StreamSignal()
    private let journal: EventJournal
    private let progress: Mutex<ConsumerProgress>

    /// Begins to read after `start`; `cursor` is the consumer's, nil if the journal does not know it.
    init(_ name: String, in journal: EventJournal, cursor: UInt64?, start: UInt64) {
        self.name = name
        self.journal = journal
        progress = Mutex(ConsumerProgress(cursor: cursor, start: start))
    }

    /// The stream sends an event, or leaves it out.
    func pass(_ sequence: UInt64, isSent: Bool) {
        progress.withLock { $0.pass(sequence, isSent: isSent) }
    }

    /// Somebody has set the cursor; returns whether it acknowledges what the stream sent.
    func set(_ sequence: UInt64) -> Bool { progress.withLock { $0.set(sequence) } }

    /// The journal forgets the consumer.
    func forget() { progress.withLock { $0.forget() } }

    /// Moves the cursor no more.
    func end() { progress.withLock { $0.end() } }

    /// Whether the cursor is to be moved once more events are on the disk.
    var waitsForCommit: Bool {
        let committed = journal.end.sequence
        return progress.withLock { $0.waits(committed: committed) }
    }

    /// Moves the cursor if it is time, and waits for nothing: one move at a time, however many events
    /// are left out.
    func moveCursor() {
        let committed = journal.end.sequence
        let next = progress.withLock { $0.nextMove(committed: committed) }
        guard let sequence = next else { return }
        journal.move(.consumer(name), to: Cursor(epoch: journal.epoch, sequence: sequence)) {
            result in
            self.progress.withLock { $0.moved() }
            if case .success = result { self.moveCursor() }
        }
    }
}

/// The consumers that are read at the moment, each by one stream.
///
/// Two streams would share a cursor, and each would miss what the other acknowledges. So a stream that
/// comes takes over and the one before it ends: a client that hangs keeps no other out.
final class ConsumerReaders: Sendable {
    private let readers = Mutex<[String: ConsumerReader]>([:])

    /// Takes a reader in and ends the one before it; returns whether there was one.
    func admit(_ reader: ConsumerReader) -> Bool {
        let earlier = readers.withLock { $0.updateValue(reader, forKey: reader.name) }
        earlier?.end()
        earlier?.signal.set(.displaced)
        return earlier != nil
    }

    /// Removes a reader whose stream has ended.
    func remove(_ reader: ConsumerReader) {
        reader.end()
        readers.withLock { readers in
            if readers[reader.name] === reader { readers[reader.name] = nil }
        }
    }

    /// The reader of a consumer; nil if nobody reads.
    subscript(name: String) -> ConsumerReader? { readers.withLock { $0[name] } }
}
