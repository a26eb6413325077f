import Events
import Glibc
import TestWaiting
import Testing
import WireText

@Suite(.blocking) struct DescriptorSinkTests {
    private func sink(
        _ pipe: TestPipe, _ format: EventFormat, _ flushing: DescriptorSink.Flushing
    ) -> DescriptorSink {
        DescriptorSink(
            writer: DescriptorWriter(descriptor: pipe.writing, name: "pipe"),
            formatter: EventFormatter(format), flushing: flushing)
    }

    @Test func eachEventLeavesAtOnceWhereSomebodyWaits() async throws {
        let pipe = try TestPipe()
        let sink = sink(pipe, .text, .eachEvent)
        try await sink.send(Samples.scan("7"))
        #expect(pipe.read(2) == Array("7\n".utf8))
        try await sink.send(Samples.rejection("torn"))
        #expect(pipe.waiting == 0)
    }

    @Test func otherwiseEventsWaitForTheFlush() async throws {
        let pipe = try TestPipe()
        let sink = sink(pipe, .text, .whenFull)
        try await sink.send(Samples.scan("7"))
        try await sink.send(Samples.scan("8"))
        #expect(pipe.waiting == 0)
        try await sink.flush()
        #expect(pipe.read(4) == Array("7\n8\n".utf8))
    }

    @Test func theErrorReachesTheSender() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = DescriptorSink(
            writer: DescriptorWriter(descriptor: descriptor, name: "/dev/full"),
            formatter: EventFormatter(.json), flushing: .eachEvent)
        let error = SystemCallError(operation: "write", path: "/dev/full", errno: ENOSPC)
        await #expect(throws: OutputError.failed(error)) { try await sink.send(Samples.scan()) }
    }
}
