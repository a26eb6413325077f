/// A bounded queue of lines that wait for a reader.
///
/// A full queue drops new lines until it is half empty again. A slightly slow reader then misses one long range of
/// lines instead of many short ones.
struct OutputQueue {
    static let countLimit = 10_000
    /// The maximum total size of the waiting lines, in bytes.
    static let byteLimit = 16 << 20
    /// The size up to which a write to a pipe is atomic, in bytes (pipe(7), `PIPE_BUF`).
    static let chunkSize = 4096

    private var lines: [(sequence: UInt64, bytes: [UInt8])] = []
    private var byteCount = 0
    /// The number of lines at the front of the queue that are being written.
    private var writingCount = 0
    /// The sequence number up to which lines may be written; later lines wait for ``release(upTo:)``.
    private var released: UInt64
    /// The events dropped since the queue became full; nil while the queue accepts lines.
    private var drops: LostEvents?

    /// Creates an empty queue; if `holdsBack` is true, each line waits for ``release(upTo:)``.
    init(holdsBack: Bool) { released = holdsBack ? 0 : .max }

    var count: Int { lines.count }

    var hasRoom: Bool {
        lines.count <= Self.countLimit / 2 && byteCount <= Self.byteLimit / 2
    }

    /// The events whose lines are waiting or were dropped; nil if all lines are written.
    var unwritten: LostEvents? {
        lines.reduce(into: drops) { lost, line in LostEvents.add(line.sequence, to: &lost) }
    }

    /// Adds a line if there is room, and returns any events dropped just before that line.
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

    /// Returns the next lines to write, kept until ``finishChunk()``; nil if no line waits.
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

    /// The number of events and the range of their sequence numbers, such as `3 events (17 to 20)`.
    package var description: String {
        count == 1 ? "1 event (\(first))" : "\(count) events (\(first) to \(last))"
    }

    static func add(_ sequence: UInt64, to lost: inout LostEvents?) {
        lost = LostEvents(
            first: min(lost?.first ?? sequence, sequence),
            last: max(lost?.last ?? sequence, sequence), count: (lost?.count ?? 0) + 1)
    }
}
