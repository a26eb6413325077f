import Dispatch
import Glibc
import Synchronization
import WireText

/// A sink that writes the daemon's events as lines to standard output, on its own thread.
///
/// The daemon never waits for a slow or stuck reader, because the lines wait in an ``OutputQueue``.
package final class OutputSink: EventSink {
    package enum Notice: Equatable, Sendable {
        /// The reader has read nothing for the duration ``patience``, and `waiting` lines are in the queue.
        case stuck(waiting: Int)
        /// The disk is full; the sink tries to write again every second.
        case failing(OutputError)
        /// A stuck reader reads again, or the disk has room again.
        case flowing
        case dropped(LostEvents)
    }

    /// How long a reader may read nothing before it is reported as stuck.
    package static let patience = Duration.seconds(2)

    private struct State {
        var queue: OutputQueue
        var isFinished = false
        var hasEnded = false
        var error: OutputError?
        var isStuck = false
        /// The waiting tasks; each change of the state wakes all of them to check their condition.
        var waiting: [AsyncStream<Void>.Continuation] = []
        var whenAbandoned: (@Sendable (any Error) -> Void)?
    }

    private let formatter: EventFormatter
    private let descriptor: Int32
    private let name: String
    private let state: Mutex<State>
    private let wakeup = DispatchSemaphore(value: 0)
    private let report: @Sendable (Notice) -> Void
    package let holdsBack: Bool
    /// The sequence number of each sent event, if ``holdsBack`` is true; a slow reader gets only the latest.
    package let newest: AsyncStream<UInt64>
    private let newestInput: AsyncStream<UInt64>.Continuation

    /// Creates a sink and starts its thread, or throws `SystemCallError`; `report` may be called on any thread.
    package init(
        descriptor: Int32 = STDOUT_FILENO, name: String = "standard output",
        formatter: EventFormatter, holdsBack: Bool,
        report: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws {
        (self.descriptor, self.name, self.formatter) = (descriptor, name, formatter)
        (self.holdsBack, self.report) = (holdsBack, report)
        state = Mutex(State(queue: OutputQueue(holdsBack: holdsBack)))
        (newest, newestInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        try WaitingThread.start { [self] in run() }
    }

    /// Enqueues an event's line without waiting.
    package func send(_ event: Event) throws {
        var line: [UInt8] = []
        formatter.append(event, to: &line)
        let ended = try change { state throws(OutputError) -> LostEvents? in
            if let error = state.error { throw error }
            return line.isEmpty ? nil : state.queue.append(line, of: event.sequence)
        }
        if let ended { report(.dropped(ended)) }
        if holdsBack { newestInput.yield(event.sequence) }
    }

    /// Allows lines with sequence numbers up to `sequence` to be written.
    package func release(upTo sequence: UInt64) { change { $0.queue.release(upTo: sequence) } }

    /// Waits until the queue is at most half full, writing is stuck or has failed, or the sink is closed.
    package func room() async {
        await wait { $0.queue.hasRoom || $0.isStuck || $0.error != nil || $0.isFinished }
    }

    /// Calls `body` when the last reader has closed its end or writing has failed.
    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {
        let error = state.withLock { state in
            state.whenAbandoned = body
            return state.error
        }
        if let error { abandon(error) }
        _ = try DescriptorEnd.watch(descriptor) { [self] in abandon(.closed(name: name)) }
    }

    /// Closes the sink; its thread writes all lines in the queue and then ends.
    package func close() {
        change { state in
            state.isFinished = true
            state.queue.release(upTo: .max)
        }
        newestInput.finish()
    }

    /// Closes the sink, and waits until all lines are written or writing has failed.
    package func finish() async {
        close()
        await wait { $0.hasEnded }
    }

    /// The error that made the sink stop writing; nil if there was none.
    package var error: OutputError? { state.withLock { $0.error } }

    package var unwritten: LostEvents? { state.withLock { $0.queue.unwritten } }

    private func abandon(_ error: OutputError) {
        state.withLock { $0.whenAbandoned.take() }?(error)
    }
}

extension OutputSink {
    private func run() {
        var writer = DescriptorWriter(descriptor: descriptor, name: name)
        do throws(OutputError) {
            while let chunk = nextChunk() {
                try write(chunk, to: &writer)
                let wasStuck = change { state in
                    state.queue.finishChunk()
                    defer { state.isStuck = false }
                    return state.isStuck
                }
                if wasStuck { report(.flowing) }
            }
        } catch {
            change { $0.error = error }
            abandon(error)
        }
        change { $0.hasEnded = true }
    }

    /// Waits for the next lines; returns nil after the last line of a closed sink.
    private func nextChunk() -> [UInt8]? {
        while true {
            let (chunk, isOver) = state.withLock { ($0.queue.beginChunk(), $0.isFinished) }
            if let chunk { return chunk }
            if isOver { return nil }
            wakeup.wait()
        }
    }

    private func write(
        _ chunk: [UInt8], to writer: inout DescriptorWriter
    ) throws(OutputError) {
        for start in stride(from: 0, to: chunk.count, by: OutputQueue.chunkSize) {
            waitForReader()
            try writer.write(Array(chunk[start...].prefix(OutputQueue.chunkSize)))
            try flush(&writer)
        }
    }

    /// Flushes the writer; while the disk is full, tries again every second until the sink is closed.
    private func flush(_ writer: inout DescriptorWriter) throws(OutputError) {
        while true {
            do throws(OutputError) {
                return try writer.flush()
            } catch {
                guard error.isFullDisk else { throw error }
                let (isOver, isNew) = change { state in
                    defer { state.isStuck = true }
                    return (state.isFinished, !state.isStuck)
                }
                if isNew { report(.failing(error)) }
                if isOver { throw error }
                sleep(1)
            }
        }
    }

    /// Waits until a write does not block; reports a stuck reader after ``patience``.
    private func waitForReader() {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let patience = Int32(Self.patience / .milliseconds(1))
        guard poll(&waiting, 1, patience) == 0 else { return }
        let count = change { state in
            defer { state.isStuck = true }
            return state.isStuck ? nil : state.queue.count
        }
        if let count { report(.stuck(waiting: count)) }
        _ = poll(&waiting, 1, -1)
    }

    /// Changes the state, and wakes all waiting tasks and the sink's thread.
    @discardableResult
    private func change<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { wakeup.signal() }
        return try state.withLock { state throws(Failure) in
            let value = try body(&state)
            state.waiting.removeAll { if case .terminated = $0.yield() { true } else { false } }
            return value
        }
    }

    /// Waits until the condition holds or the task is cancelled.
    private func wait(until isOver: @Sendable (State) -> Bool) async {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.waiting.append(change) }
        // The condition may already hold.
        change.yield()
        for await _ in changes where state.withLock({ isOver($0) }) { break }
        change.finish()
    }
}

/// A way to detect, without writing, that no program reads a pipe or socket any more.
enum DescriptorEnd {
    /// Calls `body` when the last reader of a descriptor has closed its end.
    ///
    /// Only pipes and sockets are watched: a file has no reader, and closing a terminal causes a `SIGHUP`.
    ///
    /// - Returns: Whether the descriptor is watched.
    static func watch(
        _ descriptor: Int32, _ body: @escaping @Sendable () -> Void
    ) throws(SystemCallError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
        else { return false }
        try WaitingThread.start {
            // `poll` always reports errors and hangups.
            var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&waiting, 1, -1) < 0, errno == EINTR {}
            if Int32(waiting.revents) & (POLLERR | POLLHUP) != 0 { body() }
        }
        return true
    }
}
