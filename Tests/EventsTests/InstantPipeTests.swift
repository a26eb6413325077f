import Events
import Glibc
import Testing

@Suite struct InstantPipeTests {
    private let line = Array("{}\n".utf8)

    @Test func aLineIsInThePipeAtOnce() throws {
        let pipe = try TestPipe()
        let instant = try #require(InstantPipe(into: pipe.writing))
        #expect(instant.write(line))
        #expect(pipe.read(3) == line)
    }

    @Test func aFullPipeTakesNothingOfALineAndIsNotWaitedFor() throws {
        let pipe = try TestPipe()
        let instant = try #require(InstantPipe(into: pipe.writing))
        let long = [UInt8](repeating: 0x20, count: 3000)
        var count = 0
        while instant.write(long) { count += 1 }
        #expect(pipe.waiting == count * 3000)
        _ = pipe.read(count * 3000)
        #expect(instant.write(long))
    }

    @Test func whoeverElseWritesThereStillWaits() throws {
        let pipe = try TestPipe()
        let instant = try #require(InstantPipe(into: pipe.writing))
        #expect(instant.write(line))
        #expect(fcntl(pipe.writing, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func moreThanAPipeTakesAtOnceIsNotWritten() throws {
        let pipe = try TestPipe()
        let instant = try #require(InstantPipe(into: pipe.writing))
        #expect(!instant.write([UInt8](repeating: 0x20, count: InstantPipe.longestLine + 1)))
        #expect(pipe.waiting == 0)
    }

    @Test func whereTheReaderHasGoneNothingIsWritten() throws {
        let orphan = try TestPipe.withoutReader()
        defer { close(orphan) }
        let instant = try #require(InstantPipe(into: orphan))
        #expect(!instant.write(line))
    }

    @Test(arguments: ["/dev/null", "/proc/self/exe"])
    func whatIsNoPipeIsNotWrittenTo(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(InstantPipe(into: descriptor) == nil)
        #expect(InstantPipe(into: -1) == nil)
    }
}
