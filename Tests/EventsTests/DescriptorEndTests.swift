import Glibc
import TestWaiting
import Testing

@testable import Events

@Suite(.blocking, .timeLimit(.minutes(10))) struct DescriptorEndTests {
    /// The descriptor to watch, and the reader's end.
    private struct Ends {
        let writing: Int32
        let reading: Int32
    }

    private func pipe() throws -> Ends {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return Ends(writing: ends[1], reading: ends[0])
    }

    private func sockets(_ type: __socket_type) throws -> Ends {
        var ends: [Int32] = [-1, -1]
        let flags = Int32(type.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, flags, 0, &ends) == 0)
        return Ends(writing: ends[1], reading: ends[0])
    }

    /// Closes the reader's end, and waits until that is reported.
    private func isTold(_ ends: Ends) async throws {
        defer { close(ends.writing) }
        let isWatched = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Bool, any Error>) in
            do {
                let watches = try DescriptorEnd.watch(ends.writing) {
                    continuation.resume(returning: true)
                }
                if !watches { continuation.resume(returning: false) }
            } catch {
                continuation.resume(throwing: error)
            }
            close(ends.reading)
        }
        #expect(isWatched)
    }

    @Test func aPipeWhoseReaderGoesTells() async throws {
        try await isTold(pipe())
    }

    @Test func aPipeThatIsFullTellsToo() async throws {
        let ends = try pipe()
        _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4096)
        while write(ends.writing, bytes, bytes.count) > 0 {}
        try await isTold(ends)
    }

    @Test func aPipeWhoseReaderIsGoneAlreadyTells() async throws {
        let writing = try TestPipe.withoutReader()
        try await isTold(Ends(writing: writing, reading: -1))
    }

    @Test func aSocketWhoseOtherSideGoesTells() async throws {
        try await isTold(sockets(SOCK_STREAM))
    }

    @Test func aSocketThatLeavesSomethingUnreadTells() async throws {
        let ends = try sockets(SOCK_STREAM)
        #expect(write(ends.writing, "unread", 6) == 6)
        try await isTold(ends)
    }

    @Test(arguments: ["/dev/null", "/proc/self/exe", "/dev/ptmx"])
    func whatHasNoReaderIsLeftAlone(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(try !DescriptorEnd.watch(descriptor) { Issue.record("\(path) reported its end") })
    }
}
