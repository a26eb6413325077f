/// Writes events as lines to a file descriptor.
///
/// The caller ignores `SIGPIPE`; see ``DescriptorWriter``. Writing blocks where the reader is
/// slow: a thread of its own, so that nothing else waits for it.
public actor DescriptorSink: EventSink {
    /// When buffered lines are written.
    public enum Flushing: Equatable, Sendable {
        /// After each event: somebody waits for the line.
        case eachEvent

        /// When 64 KiB have come together and at ``DescriptorSink/flush()``: the most per second.
        case whenFull
    }

    private let formatter: EventFormatter
    private let flushing: Flushing
    private var writer: DescriptorWriter

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - writer: Where the lines go.
    ///   - formatter: What the lines are like.
    ///   - flushing: When buffered lines are written.
    public init(
        writer: consuming DescriptorWriter, formatter: EventFormatter, flushing: Flushing
    ) {
        self.writer = writer
        self.formatter = formatter
        self.flushing = flushing
    }

    /// Writes the header line of the format, where it has one.
    ///
    /// - Throws: ``OutputError``.
    public func sendHeader() throws {
        try writer.write(formatter.appendHeader(to:))
    }

    /// Writes one event, or nothing where the format has no line for it.
    ///
    /// With ``Flushing/eachEvent`` an error may leave the line in the buffer, and a later flush
    /// writes it: sending the event again after an error then gives the line twice, which a
    /// consumer knows by `source` and `id`.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``OutputError``.
    public func send(_ event: Event) async throws {
        try writer.write { formatter.append(event, to: &$0) }
        if flushing == .eachEvent { try await flush() }
    }

    /// Writes what is in the buffer.
    ///
    /// - Throws: ``OutputError``.
    public func flush() async throws {
        while try !writer.flushWithoutWaiting() {
            await DescriptorRoom.wait(for: writer.waitingDescriptor)
        }
    }
}
