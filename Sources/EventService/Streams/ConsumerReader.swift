import Journal
import Synchronization

/// The link between a consumer and its open stream; it moves the consumer's cursor.
final class ConsumerReader: Sendable {
    let name: String
    let signal = StreamSignal()
    let progress: Mutex<ConsumerProgress>
    private let journal: EventJournal

    /// Creates a reader that begins after event `start`; `cursor` is nil for a new consumer.
    init(_ name: String, in journal: EventJournal, cursor: UInt64?, start: UInt64) {
        (self.name, self.journal) = (name, journal)
        progress = Mutex(ConsumerProgress(cursor: cursor, start: start))
    }

    /// Asks the journal to move the cursor, if the stream's progress allows it, and returns without waiting.
    func moveCursor() {
        guard let sequence = progress.withLock({ $0.nextMove() }) else { return }
        journal.move(.consumer(name), to: Cursor(epoch: journal.epoch, sequence: sequence)) {
            result in
            self.progress.withLock { $0.moved() }
            if case .success = result { self.moveCursor() }
        }
    }
}

/// The consumers that have an open stream, with at most one stream each.
///
/// Two streams of one consumer would share a cursor, and each would miss events that the other acknowledges. A new
/// stream ends the earlier one, so that a client that hangs cannot block others.
final class ConsumerReaders: Sendable {
    private let readers = Mutex<[String: ConsumerReader]>([:])

    /// Admits a reader, and ends the earlier reader with the same name; returns true if there was one.
    func admit(_ reader: ConsumerReader) -> Bool {
        let earlier = readers.withLock { $0.updateValue(reader, forKey: reader.name) }
        earlier?.progress.withLock { $0.end() }
        earlier?.signal.set()
        return earlier != nil
    }

    func remove(_ reader: ConsumerReader) {
        reader.progress.withLock { $0.end() }
        readers.withLock { readers in
            if readers[reader.name] === reader { readers[reader.name] = nil }
        }
    }

    subscript(name: String) -> ConsumerReader? { readers.withLock { $0[name] } }
}

/// A consumer's progress through its stream, which determines when the daemon may move the consumer's cursor.
///
/// A client acknowledges the events it receives, but not those that its filter excludes. Once all sent events are
/// acknowledged, the daemon itself moves the cursor past the excluded events.
struct ConsumerProgress {
    /// The cursor in the journal, or the one that is about to be written there; nil if there is neither.
    private var cursor: UInt64?
    /// The first cursor to write for a consumer that is not yet in the journal.
    private var beginning: UInt64?
    /// The event number that the cursor must reach before the daemon moves it past events that the filter excludes.
    private var sent: UInt64
    /// The number of the newest event that was sent or that the filter excluded.
    private var passed: UInt64
    private var isMoving = false
    /// Whether the stream has ended, or was replaced by another stream of this consumer.
    private(set) var hasEnded = false

    init(cursor: UInt64?, start: UInt64) {
        self.cursor = cursor
        sent = start
        passed = start
    }

    mutating func pass(_ sequence: UInt64, isSent: Bool) {
        if cursor == nil, beginning == nil { beginning = passed }
        if isSent { sent = sequence }
        passed = sequence
    }

    /// Records that a client set the cursor, and returns whether this acknowledges events of the stream.
    ///
    /// A cursor that the client moved back, for example, acknowledges nothing. The daemon then leaves the cursor alone
    /// until the client has moved it to the newest event that the stream has sent or excluded so far.
    mutating func set(_ sequence: UInt64) -> Bool {
        let earlier = cursor ?? beginning ?? .max
        let isAcknowledgement = earlier <= sequence && sequence <= passed
        cursor = sequence
        beginning = nil
        if !isAcknowledgement { sent = passed }
        return isAcknowledgement
    }

    /// Records that the journal removed the consumer; the next event creates it again.
    mutating func forget() {
        cursor = nil
        beginning = nil
    }

    mutating func end() { hasEnded = true }

    /// Starts a move of the cursor and returns its target; nil if no move is necessary or possible now.
    ///
    /// The target event need not be on disk yet, because the journal writes it no later than the cursor. Only one move
    /// is in progress at a time; the next one passes all events that the filter has excluded by then.
    mutating func nextMove() -> UInt64? {
        guard !isMoving, !hasEnded else { return nil }
        var target = beginning
        if let cursor { target = cursor >= sent && passed > cursor ? passed : nil }
        guard let target else { return nil }
        isMoving = true
        cursor = target
        beginning = nil
        return target
    }

    mutating func moved() { isMoving = false }
}
