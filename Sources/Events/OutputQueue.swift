/// A bounded queue of lines that wait for a reader.
///
/// A full queue drops new lines until half of it is empty again, so that a reader that is a little too slow causes one
/// long range of drops instead of many short ones.
struct OutputQueue {
    static let countLimit = 10_000
    /// The maximum total size of the waiting lines, in bytes.
    static let byteLimit = 16 << 20
    /// Writes of up to this many bytes to a pipe are atomic (pipe(7), `PIPE_BUF`).
    static let chunkSize = 4096

    private var lines: [(sequence: UInt64, bytes: [UInt8])] = []
    private var byteCount = 0
    /// The number of lines at the front that are being written.
    private var writingCount = 0
    /// The highest sequence number whose line may be written.
    private var released: UInt64
    /// The events dropped since the queue became full; nil while it accepts lines.
    private var drops: LostEvents?

    /// With `holdsBack`, each line waits for ``release(upTo:)``.
    init(holdsBack: Bool) { released = holdsBack ? 0 : .max }

    var count: Int { lines.count }

    var hasRoom: Bool {
        lines.count <= Self.countLimit / 2 && byteCount <= Self.byteLimit / 2
    }

    /// The waiting events and the dropped ones; nil if all events were written.
    var unwritten: LostEvents? {
        lines.reduce(into: drops) { lost, line in LostEvents.add(line.sequence, to: &lost) }
    }

    /// Adds an event's line, or drops it; the first line that fits again returns the events dropped before it.
    mutating func append(_ bytes: [UInt8], of sequence: UInt64) -> LostEvents? {
        guard drops == nil ? fits(bytes) : hasRoom else {
            LostEvents.add(sequence, to: &drops)
            return nil
        }
        defer { drops = nil }
        lines.append((sequence, bytes))
        byteCount += bytes.count
        return drops
    }

    mutating func release(upTo sequence: UInt64) { released = max(released, sequence) }

    /// Returns the next lines to write, which stay in the queue until ``finishChunk()``; nil if the queue is empty.
    mutating func beginChunk() -> [UInt8]? {
        var chunk: [UInt8] = []
        writingCount = 0
        for line in lines {
            guard line.sequence <= released,
                chunk.isEmpty || chunk.count + line.bytes.count <= Self.chunkSize
            else { break }
            chunk += line.bytes
            writingCount += 1
        }
        return writingCount > 0 ? chunk : nil
    }

    mutating func finishChunk() {
        byteCount -= lines[..<writingCount].reduce(0) { $0 + $1.bytes.count }
        lines.removeFirst(writingCount)
        writingCount = 0
    }

    private func fits(_ bytes: [UInt8]) -> Bool {
        lines.count < Self.countLimit && byteCount + bytes.count <= Self.byteLimit
    }
}

package struct LostEvents: Equatable, Sendable, CustomStringConvertible {
    package let first: UInt64
    package let last: UInt64
    package let count: Int

    /// For example `3 events (17 to 20)`.
    package var description: String {
        count == 1 ? "1 event (\(first))" : "\(count) events (\(first) to \(last))"
    }

    static func add(_ sequence: UInt64, to lost: inout LostEvents?) {
        lost = LostEvents(
            first: min(lost?.first ?? sequence, sequence),
            last: max(lost?.last ?? sequence, sequence), count: (lost?.count ?? 0) + 1)
    }
}
