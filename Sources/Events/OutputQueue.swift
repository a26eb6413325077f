/// Lines that wait for a reader, within bounds.
///
/// Once it is full it drops new lines until half of it is empty again, and counts them: a reader
/// that is a little too slow gives one range of drops, not one for each event.
struct OutputQueue {
    /// How many lines may wait.
    static let countLimit = 10_000
    /// How many bytes of lines may wait.
    static let byteLimit = 16 << 20
    /// A pipe takes this much as a whole or not at all (pipe(7), `PIPE_BUF`).
    static let chunkSize = 4096

    private struct Line {
        let sequence: UInt64
        let bytes: [UInt8]
    }

    private var lines: [Line] = []
    private var byteCount = 0
    /// How many of the first lines are being written.
    private var writingCount = 0
    /// Lines with numbers up to this one may be written.
    private var released: UInt64
    /// The lines that were dropped since the queue was full.
    private var drops: LostEvents?

    /// Makes a queue; `holdsBack` keeps each line until ``release(upTo:)``.
    init(holdsBack: Bool) { released = holdsBack ? 0 : .max }

    var count: Int { lines.count }

    /// Whether at least half of the queue is empty.
    var hasRoom: Bool {
        lines.count <= Self.countLimit / 2 && byteCount <= Self.byteLimit / 2
    }

    /// The events that are not written: those dropped, and those that still wait.
    var unwritten: LostEvents? {
        lines.reduce(into: drops) { lost, line in LostEvents.add(line.sequence, to: &lost) }
    }

    /// Adds the line of an event, or drops it.
    ///
    /// Returns the drops that this line ends.
    mutating func append(_ bytes: [UInt8], of sequence: UInt64) -> LostEvents? {
        guard drops == nil ? fits(bytes) : hasRoom else {
            LostEvents.add(sequence, to: &drops)
            return nil
        }
        defer { drops = nil }
        lines.append(Line(sequence: sequence, bytes: bytes))
        byteCount += bytes.count
        return drops
    }

    /// Lets lines with numbers up to this one be written.
    mutating func release(upTo sequence: UInt64) { released = max(released, sequence) }

    /// The next bytes to write, of whole lines; nil if no line may be written.
    ///
    /// The lines stay in the queue until ``finishChunk()``.
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

    /// Removes the lines of the chunk, which are written.
    mutating func finishChunk() {
        byteCount -= lines[..<writingCount].reduce(0) { $0 + $1.bytes.count }
        lines.removeFirst(writingCount)
        writingCount = 0
    }

    private func fits(_ bytes: [UInt8]) -> Bool {
        lines.count < Self.countLimit && byteCount + bytes.count <= Self.byteLimit
    }
}

/// A range of events, and how many of them were lost.
package struct LostEvents: Equatable, Sendable, CustomStringConvertible {
    /// The number of the first.
    package let first: UInt64
    /// The number of the last.
    package let last: UInt64
    /// How many.
    package let count: Int

    /// Names events that were lost: `3 events (17 to 20)`.
    package var description: String {
        count == 1 ? "1 event (\(first))" : "\(count) events (\(first) to \(last))"
    }

    static func add(_ sequence: UInt64, to lost: inout LostEvents?) {
        lost = LostEvents(
            first: min(lost?.first ?? sequence, sequence),
            last: max(lost?.last ?? sequence, sequence), count: (lost?.count ?? 0) + 1)
    }
}
