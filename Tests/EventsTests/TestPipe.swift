import Dispatch
import Foundation
import Glibc
import Synchronization

/// A real pipe, both ends of which are closed when this value is destroyed.
final class TestPipe: Sendable {
    let reading: Int32
    let writing: Int32

    /// Makes a pipe, and makes the process ignore `SIGPIPE`, as commands do.
    init(nonBlocking: Bool = false) throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TestPipeError(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
        if nonBlocking { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Returns the writing end of a pipe whose reader has gone; the caller must close it.
    static func withoutReader() throws -> Int32 {
        let pipe = try TestPipe()
        return withExtendedLifetime(pipe) { dup(pipe.writing) }
    }

    /// Reads on a thread of its own, because blocked writers may occupy all threads of the pool.
    ///
    /// Returns a function that waits for the bytes.
    func readOnAThread(_ count: Int) -> () -> [UInt8] {
        let box = ReadBox()
        Thread.detachNewThread { box.finish(self.read(count)) }
        return box.wait
    }

    /// Reads `count` bytes, or fewer if the pipe ends before.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < count {
            let read = Glibc.read(reading, &chunk, min(chunk.count, count - bytes.count))
            guard read > 0 else { break }
            bytes += chunk[..<read]
        }
        return bytes
    }

    /// The number of bytes waiting in the pipe.
    var waiting: Int {
        var count: Int32 = 0
        _ = ioctl(reading, UInt(FIONREAD), &count)
        return Int(count)
    }
}

/// Hands the bytes that a thread has read to another thread that waits for them.
private final class ReadBox: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let done = DispatchSemaphore(value: 0)

    func finish(_ read: [UInt8]) {
        bytes.withLock { $0 = read }
        done.signal()
    }

    func wait() -> [UInt8] {
        done.wait()
        return bytes.withLock { $0 }
    }
}

struct TestPipeError: Error {
    let number: Int32
}

/// Opens a file, calls `body` with its descriptor, and closes it.
func withFile<Result>(
    _ path: String, _ flags: Int32, _ body: (Int32) throws -> Result
) throws -> Result {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestPipeError(number: errno) }
    defer { close(descriptor) }
    return try body(descriptor)
}

/// Calls `body` with the descriptor of a temporary file that contains the bytes.
func withContents<Result>(_ bytes: [UInt8], _ body: (Int32) throws -> Result) throws -> Result {
    var path = Array("/tmp/keywedge-events-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw TestPipeError(number: errno) }
    defer { close(descriptor) }
    unlink(path)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
        throw TestPipeError(number: errno)
    }
    lseek(descriptor, 0, SEEK_SET)
    return try body(descriptor)
}
