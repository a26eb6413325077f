import Synchronization

/// Writes events as lines to a file descriptor.
///
/// The caller ignores `SIGPIPE`; see ``DescriptorWriter``. Where the reader is slow, only who sends
/// waits for it.
package final class DescriptorSink: EventSink {
    /// When buffered lines are written.
    package enum Flushing: Equatable, Sendable {
        /// After each event: somebody waits for the line.
        case eachEvent

        /// When 64 KiB have come together and at ``DescriptorSink/flush()``: the most per second.
        case whenFull
    }

    private let formatter: EventFormatter
    private let flushing: Flushing
    private let writer: Mutex<DescriptorWriter>
    private let descriptor: Int32

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - writer: Where the lines go.
    ///   - formatter: What the lines are like.
    ///   - flushing: When buffered lines are written.
    package init(
        writer: consuming DescriptorWriter, formatter: EventFormatter, flushing: Flushing
    ) {
        descriptor = writer.waitingDescriptor
        self.writer = Mutex(writer)
        self.formatter = formatter
        self.flushing = flushing
    }

    /// Writes one event, or nothing where the format has no line for it.
    ///
    /// With ``Flushing/eachEvent`` an error may leave the line in the buffer, and a later flush
    /// writes it: sending the event again after an error then gives the line twice, which a
    /// consumer knows by `source` and `id`.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``OutputError``.
    nonisolated(nonsending) package func send(_ event: Event) async throws {
        if try sendAtOnce(event) == .unfinished { try await flush() }
    }

    /// Writes one event as far as the descriptor takes it, and keeps the rest in the buffer.
    ///
    /// - Parameter event: The event.
    /// - Returns: Whether ``flush()`` has something to wait for.
    /// - Throws: ``OutputError``.
    package func sendAtOnce(_ event: Event) throws -> Sending {
        try sendAtOnce { formatter.append(event, to: &$0) }
    }

    /// Writes one line as it is.
    ///
    /// - Parameter line: The line, without its end.
    /// - Throws: ``OutputError``.
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

    /// Has the sink tell when whoever reads the pipe or socket has gone.
    ///
    /// - Parameter body: Takes ``OutputError/closed(name:)``; called once at the most, on another thread.
    /// - Throws: Where there is no thread to be had.
    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {
        let name = writer.withLock { $0.name }
        _ = try DescriptorEnd.watch(descriptor) { body(OutputError.closed(name: name)) }
    }

    /// Writes what is in the buffer.
    ///
    /// - Throws: ``OutputError``.
    nonisolated(nonsending) package func flush() async throws {
        while try !flushWithoutWaiting() { await DescriptorRoom.wait(for: descriptor) }
    }

    private func flushWithoutWaiting() throws(OutputError) -> Bool {
        try writer.withLock { writer throws(OutputError) in try writer.flushWithoutWaiting() }
    }
}
