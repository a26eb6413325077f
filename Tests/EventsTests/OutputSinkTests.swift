import Events
import Glibc
import Synchronization
import TestWaiting
import Testing
import WireText

@Suite(.blocking, .timeLimit(.minutes(5))) struct OutputSinkTests {
    private func sink(
        _ descriptor: Int32, holdsBack: Bool = false,
        report: @escaping @Sendable (OutputSink.Notice) -> Void = { _ in }
    ) throws -> OutputSink {
        try OutputSink(
            descriptor: descriptor, name: "pipe", formatter: EventFormatter(.text),
            holdsBack: holdsBack, report: report)
    }

    private func scan(_ sequence: UInt64, _ text: String = "7") -> Event {
        Samples.event(sequence: sequence, data: ["text": .string(text)])
    }

    @Test func anEventLeavesAtOnceAndOneWithoutALineNever() async throws {
        let pipe = try TestPipe()
        let sink = try sink(pipe.writing)
        try sink.send(scan(1))
        #expect(pipe.read(2) == Array("7\n".utf8))
        try sink.send(Samples.rejection("torn"))
        await sink.finish()
        #expect(pipe.waiting == 0)
        #expect(sink.unwritten == nil)
    }

    @Test func whatIsHeldBackIsWrittenWhenItIsReleasedOrAtTheEnd() async throws {
        let pipe = try TestPipe()
        let sink = try sink(pipe.writing, holdsBack: true)
        for sequence in 1...3 { try sink.send(scan(UInt64(sequence), "\(sequence)")) }
        sink.release(upTo: 1)
        #expect(pipe.read(2) == Array("1\n".utf8))
        #expect(pipe.waiting == 0)
        await sink.finish()
        #expect(pipe.read(4) == Array("2\n3\n".utf8))
    }

    /// Sends more than a pipe holds: the sender does not wait, and a reader that starts later gets every byte.
    @Test func aReaderThatIsStuckHoldsUpNobodyAndLosesNothingWithinTheBound() async throws {
        let pipe = try TestPipe()
        let (notices, notice) = AsyncStream<OutputSink.Notice>.makeStream()
        let sink = try sink(pipe.writing) { notice.yield($0) }
        let texts = (1...2_000).map { "\(10_000 + $0)" + String(repeating: "x", count: 94) }
        for (index, text) in texts.enumerated() { try sink.send(scan(UInt64(index + 1), text)) }
        var iterator = notices.makeAsyncIterator()
        guard case .stuck(let waiting)? = await iterator.next() else {
            Issue.record("the reader is not reported")
            return
        }
        #expect(waiting > 0 && waiting == sink.unwritten?.count)
        // Returns at once, because the reader is stuck.
        await sink.room()
        let reading = pipe.readOnAThread(2_000 * 100)
        await sink.finish()
        let read = String(decoding: reading(), as: UTF8.self)
        #expect(read.split(separator: "\n").map(String.init) == texts)
        #expect(await iterator.next() == .flowing)
        #expect(sink.unwritten == nil)
    }

    @Test func whatAStuckReaderLeavesIsCounted() async throws {
        let pipe = try TestPipe()
        let sink = try sink(pipe.writing)
        let text = String(repeating: "x", count: 9_999)
        for sequence in 1...20 { try sink.send(scan(UInt64(sequence), text)) }
        let ending = Task { await sink.finish() }
        ending.cancel()
        await ending.value
        let lost = try #require(sink.unwritten)
        #expect(lost.last == 20 && lost.count == Int(lost.last - lost.first) + 1)
        // The sink's thread must end here: another test's pipe may get the same descriptor.
        let reading = pipe.readOnAThread(20 * 10_000)
        await sink.finish()
        #expect(reading().count == 20 * 10_000)
    }

    @Test func anErrorReachesTheSenderAndWhoeverWaitsForIt() async throws {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = try sink(descriptor)
        let (errors, error) = AsyncStream<any Error>.makeStream()
        try sink.whenAbandoned { error.yield($0) }
        try sink.send(scan(1))
        let expected = OutputError.failed(
            SystemCallError(operation: "write", path: "pipe", errno: EBADF))
        var iterator = errors.makeAsyncIterator()
        #expect(await iterator.next() as? OutputError == expected)
        #expect(throws: expected) { try sink.send(scan(2)) }
        #expect(sink.error == expected)
        await sink.finish()
    }

    @Test func aFullDiskIsReportedAndTriedAgain() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let pipe = try TestPipe()
        let (notices, notice) = AsyncStream<OutputSink.Notice>.makeStream()
        let sink = try sink(descriptor) { notice.yield($0) }
        try sink.send(scan(1))
        let expected = OutputError.failed(
            SystemCallError(operation: "write", path: "pipe", errno: ENOSPC))
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .failing(expected))
        try sink.send(scan(2))
        // From here on the disk has room.
        try #require(dup2(pipe.writing, descriptor) == descriptor)
        try #require(fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0)
        #expect(await iterator.next() == .flowing)
        await sink.finish()
        #expect(pipe.read(4) == Array("7\n7\n".utf8) && pipe.waiting == 0)
        #expect(sink.error == nil && sink.unwritten == nil)
    }

    @Test func aDiskThatStaysFullEndsAtTheClose() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = try sink(descriptor)
        try sink.send(scan(1))
        await sink.finish()
        #expect(sink.error != nil && sink.unwritten?.count == 1)
    }

    @Test func theEndOfTheReaderIsTold() async throws {
        let descriptor = try TestPipe.withoutReader()
        defer { close(descriptor) }
        let sink = try sink(descriptor)
        let (errors, error) = AsyncStream<any Error>.makeStream()
        try sink.whenAbandoned { error.yield($0) }
        var iterator = errors.makeAsyncIterator()
        #expect(await iterator.next() as? OutputError == .closed(name: "pipe"))
        await sink.finish()
    }
}
