import Events
import Glibc
import TestWaiting
import Testing
import WireText

@Suite(.blocking) struct DescriptorWriterTests {
    private let noSpace = OutputError.failed(
        SystemCallError(operation: "write", path: "/dev/full", errno: ENOSPC))

    private func flushError(_ writer: inout DescriptorWriter) -> OutputError? {
        do throws(OutputError) {
            try writer.flush()
            return nil
        } catch {
            return error
        }
    }

    private func writeError(_ writer: inout DescriptorWriter) -> OutputError? {
        do throws(OutputError) {
            try writer.write([1])
            return nil
        } catch {
            return error
        }
    }

    @Test func bytesWaitUntilTheyAreFlushed() throws {
        let pipe = try TestPipe()
        var writer = DescriptorWriter(descriptor: pipe.writing, name: "pipe")
        try writer.write(Array("one\n".utf8))
        try writer.write { $0.append(contentsOf: "two\n".utf8) }
        #expect(pipe.waiting == 0)
        try writer.flush()
        #expect(pipe.read(8) == Array("one\ntwo\n".utf8))
        try writer.flush()
        #expect(pipe.waiting == 0)
    }

    @Test func aFullBufferIsFlushedByTheNextWrite() throws {
        let pipe = try TestPipe()
        var writer = DescriptorWriter(descriptor: pipe.writing, name: "pipe")
        let bytes = [UInt8](repeating: 7, count: DescriptorWriter.threshold)
        try writer.write(bytes)
        #expect(pipe.waiting == 0)
        try writer.write([8])
        #expect(pipe.waiting == bytes.count)
        #expect(pipe.read(bytes.count) == bytes)
        try writer.flush()
        #expect(pipe.read(1) == [8])
    }

    @Test func aReaderThatHasGoneIsNoFailure() throws {
        let writing = try TestPipe.withoutReader()
        defer { close(writing) }
        var writer = DescriptorWriter(descriptor: writing, name: "standard output")
        try writer.write([1])
        let errors = [flushError(&writer), flushError(&writer), writeError(&writer)]
        let closed = OutputError.closed(name: "standard output")
        #expect(errors == [closed, closed, closed])
        #expect(closed.description == "standard output: the reader has closed it")
    }

    @Test func aFullDiskNamesOperationFileAndReason() throws {
        try withFile("/dev/full", O_WRONLY) { descriptor in
            var writer = DescriptorWriter(descriptor: descriptor, name: "/dev/full")
            try writer.write([UInt8](repeating: 1, count: DescriptorWriter.threshold))
            let errors = [flushError(&writer), flushError(&writer), writeError(&writer)]
            #expect(errors == [noSpace, noSpace, noSpace])
        }
        #expect(
            noSpace.description
                == "/dev/full: write failed: No space left on device (errno 28)")
    }

    @Test func whatFailedIsWrittenLaterAndOnce() throws {
        let file = try TestPipe()
        try withFile("/dev/full", O_WRONLY) { full in
            let target = dup(full)
            defer { close(target) }
            var writer = DescriptorWriter(descriptor: target, name: "file")
            try writer.write(Array("line\n".utf8))
            let error = SystemCallError(operation: "write", path: "file", errno: ENOSPC)
            let found = flushError(&writer)
            #expect(found == .failed(error))
            try #require(dup2(file.writing, target) == target)
            try writer.flush()
        }
        #expect(file.waiting == 5)
        #expect(file.read(5) == Array("line\n".utf8))
    }

    @Test(arguments: [false, true])
    func aSlowReaderGetsEveryByteInOrder(nonBlocking: Bool) throws {
        let pipe = try TestPipe(nonBlocking: nonBlocking)
        let lines = (0..<50_000).map { Array("line \($0)\n".utf8) }
        let count = lines.reduce(0) { $0 + $1.count }
        let read = pipe.readOnAThread(count)
        var writer = DescriptorWriter(descriptor: pipe.writing, name: "pipe")
        for line in lines { try writer.write(line) }
        try writer.flush()
        #expect(read() == Array(lines.joined()))
    }

    @Test func aDescriptorThatIsNoneIsAnError() throws {
        var writer = DescriptorWriter(descriptor: -1, name: "no\u{1b}thing")
        try writer.write([1])
        let error = flushError(&writer)
        #expect(
            error?.description == #"no\x1bthing: write failed: Bad file descriptor (errno 9)"#)
    }
}
