import Testing

@testable import Events

@Suite struct OutputQueueTests {
    private let line = Array("line\n".utf8)

    /// A queue with the lines 1 to `count`.
    private func queue(_ count: UInt64, holdsBack: Bool = false) -> OutputQueue {
        var queue = OutputQueue(holdsBack: holdsBack)
        for sequence in 0..<count { _ = queue.append(line, of: sequence + 1) }
        return queue
    }

    @Test func aChunkHasWholeLinesAndStaysUntilItIsWritten() {
        var queue = queue(1_000)
        var written = 0
        while let chunk = queue.beginChunk() {
            #expect(chunk.count <= OutputQueue.chunkSize)
            #expect(chunk.count.isMultiple(of: line.count))
            #expect(queue.unwritten?.count == 1_000 - written / line.count)
            written += chunk.count
            queue.finishChunk()
        }
        #expect(written == 1_000 * line.count)
        #expect(queue.unwritten == nil)
    }

    @Test func aLineLongerThanAChunkIsAChunkOfItsOwn() {
        var queue = OutputQueue(holdsBack: false)
        let long = [UInt8](repeating: 0x61, count: 3 * OutputQueue.chunkSize)
        _ = queue.append(long, of: 1)
        _ = queue.append(line, of: 2)
        #expect(queue.beginChunk() == long)
        queue.finishChunk()
        #expect(queue.beginChunk() == line)
    }

    @Test func aLineIsHeldBackUntilItsEventIsReleased() {
        var queue = queue(3, holdsBack: true)
        #expect(queue.beginChunk() == nil)
        queue.release(upTo: 2)
        #expect(queue.beginChunk() == line + line)
        queue.finishChunk()
        #expect(queue.beginChunk() == nil)
        #expect(queue.unwritten == LostEvents(first: 3, last: 3, count: 1))
    }

    @Test func aFullQueueDropsUntilHalfOfItIsEmptyAndTellsTheRangeOnce() {
        let limit = UInt64(OutputQueue.countLimit)
        var queue = queue(limit + 5)
        #expect(queue.count == OutputQueue.countLimit)
        #expect(queue.unwritten == LostEvents(first: 1, last: limit + 5, count: Int(limit) + 5))
        var next = limit + 6
        var ranges: [LostEvents] = []
        while ranges.isEmpty {
            _ = queue.beginChunk()
            queue.finishChunk()
            if let range = queue.append(line, of: next) { ranges.append(range) }
            next += 1
        }
        // The last line was the first one that the queue accepted again.
        #expect(
            ranges == [LostEvents(first: limit + 1, last: next - 2, count: Int(next - 2 - limit))])
        #expect(queue.count <= OutputQueue.countLimit / 2 + 1)
        #expect(queue.append(line, of: next) == nil)
    }

    @Test func bytesAreBoundedToo() {
        var queue = OutputQueue(holdsBack: false)
        let large = [UInt8](repeating: 0x61, count: OutputQueue.byteLimit / 4)
        for sequence in 1...5 { _ = queue.append(large, of: UInt64(sequence)) }
        #expect(queue.count == 4)
        #expect(!queue.hasRoom)
    }

    @Test(arguments: [
        (LostEvents(first: 7, last: 7, count: 1), "1 event (7)"),
        (LostEvents(first: 7, last: 12, count: 3), "3 events (7 to 12)"),
    ])
    func lostEventsAreNamed(lost: LostEvents, text: String) { #expect("\(lost)" == text) }
}
