import Synchronization

/// A destination for events.
///
/// A sink that returns normally has accepted the event. If it throws, the caller may send the event again; consumers
/// detect duplicates by `source` and `id`.
package protocol EventSink: Sendable {
    /// Sends one event, after all earlier ones.
    nonisolated(nonsending) func send(_ event: Event) async throws

    /// Sends one event, after all earlier ones, as far as that is possible without waiting.
    func sendAtOnce(_ event: Event) throws -> Sending

    /// Waits until all accepted events have left the sink.
    nonisolated(nonsending) func flush() async throws

    /// Waits until the sink has room for more events, or until waiting is pointless.
    func room() async

    /// Calls `body` when the events no longer have a receiver, if the sink can detect that before the next event.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

/// The outcome of sending without waiting.
package enum Sending: Equatable, Sendable {
    /// The sink has accepted the event.
    case done
    /// The sink has accepted the event; ``EventSink/flush()`` waits until it has left.
    case unfinished
    /// The sink has not accepted the event; call ``EventSink/send(_:)``.
    case notTaken
}

/// By default, a sink can send only by waiting, accepted events have left it, and it always has room.
extension EventSink {
    package func sendAtOnce(_ event: Event) throws -> Sending { .notTaken }

    nonisolated(nonsending) package func flush() async throws {}

    package func room() async {}

    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}

/// Writes events as lines to a file descriptor.
///
/// The process must ignore `SIGPIPE`; see ``DescriptorWriter``. If the reader is slow, only the sender waits.
package final class DescriptorSink: EventSink {
    /// When buffered lines are written.
    package enum Flushing: Equatable, Sendable {
        /// After each event, because a reader waits for the line.
        case eachEvent

        /// When 64 KiB are buffered, and at ``DescriptorSink/flush()``: the highest throughput.
        case whenFull
    }

    private let formatter: EventFormatter
    private let flushing: Flushing
    private let writer: Mutex<DescriptorWriter>
    private let descriptor: Int32

    package init(
        writer: consuming DescriptorWriter, formatter: EventFormatter, flushing: Flushing
    ) {
        descriptor = writer.waitingDescriptor
        self.writer = Mutex(writer)
        self.formatter = formatter
        self.flushing = flushing
    }

    /// Writes one event, or nothing if the format has no line for it.
    ///
    /// With ``Flushing/eachEvent`` an error may leave the line in the buffer, and a later flush writes it. If the
    /// caller sends the event again, the line appears twice; consumers detect that by `source` and `id`.
    nonisolated(nonsending) package func send(_ event: Event) async throws {
        if try sendAtOnce(event) == .unfinished { try await flush() }
    }

    /// Writes as much of an event as the descriptor accepts without waiting, and buffers the rest.
    ///
    /// - Returns: ``Sending/unfinished`` if ``flush()`` has something to write.
    package func sendAtOnce(_ event: Event) throws -> Sending {
        try sendAtOnce { formatter.append(event, to: &$0) }
    }

    /// Writes one line unchanged.
    nonisolated(nonsending) package func send(line: [UInt8]) async throws {
        let sending = try sendAtOnce {
            $0 += line
            $0.append(UInt8(ascii: "\n"))
        }
        if sending == .unfinished { try await flush() }
    }

    private func sendAtOnce(_ fill: (inout [UInt8]) -> Void) throws -> Sending {
        let isDone = try writer.withLock { writer throws(OutputError) in
            try writer.write(fill)
            return flushing == .whenFull ? true : try writer.flushWithoutWaiting()
        }
        return isDone ? .done : .unfinished
    }

    /// Calls `body` when the reader of the pipe or socket has gone.
    ///
    /// - Throws: `SystemCallError` if no thread can be started.
    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {
        let name = writer.withLock { $0.name }
        _ = try DescriptorEnd.watch(descriptor) { body(OutputError.closed(name: name)) }
    }

    /// Writes the buffer.
    nonisolated(nonsending) package func flush() async throws {
        while try !flushWithoutWaiting() { await DescriptorRoom.wait(for: descriptor) }
    }

    private func flushWithoutWaiting() throws(OutputError) -> Bool {
        try writer.withLock { writer throws(OutputError) in try writer.flushWithoutWaiting() }
    }
}
