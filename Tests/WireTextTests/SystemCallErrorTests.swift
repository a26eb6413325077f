import Foundation
import Glibc
import TestTexts
import Testing
import WireText

@Suite struct SystemCallErrorTests {
    @Test(arguments: [
        (
            SystemCallError(operation: "open", path: "/dev/input/event3", errno: EACCES),
            "/dev/input/event3: open failed: Permission denied (errno 13)"
        ),
        (
            SystemCallError(operation: "write", path: "standard output", errno: ENOSPC),
            "standard output: write failed: No space left on device (errno 28)"
        ),
        (
            SystemCallError(operation: "epoll_create1", errno: EMFILE),
            "epoll_create1 failed: Too many open files (errno 24)"
        ),
        (
            SystemCallError(operation: "open", path: "no\u{1b}\nthing\\", errno: ENOENT),
            #"no\x1b\nthing\\: open failed: No such file or directory (errno 2)"#
        ),
        (
            SystemCallError(operation: "read", errno: 9999),
            "read failed: unknown error (errno 9999)"
        ),
        (SystemCallError(operation: "read", errno: -1), "read failed: unknown error (errno -1)"),
    ])
    func theSentenceSaysWhatWasCalledOnWhat(error: SystemCallError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test func theWordsAreTheSystems() {
        for number in Int32(1)...133 where number != 41 && number != 58 {
            let words = String(cString: strerror(number))
            #expect(SystemCallError(operation: "x", errno: number).text == words)
        }
        #expect(SystemCallError(operation: "open", errno: EISDIR).text == "Is a directory")
    }

    @Test func noPathReachesATerminalAsItIs() {
        let leaks = AllScalars.leaks {
            SystemCallError(operation: "open", path: $0, errno: ENOENT).description
        }
        #expect(leaks == [])
    }

    // Small files.

    private func write(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try text.write(to: file, atomically: false, encoding: .utf8)
        return file.path()
    }

    @Test func aFileOfTheLimitIsReadAndALargerOneIsAnError() throws {
        let path = try write(String(repeating: "x", count: 40_000))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try SmallFile.read(path, limit: 40_000).count == 40_000)
        let error = #expect(throws: SystemCallError.self) {
            try SmallFile.read(path, limit: 39_999)
        }
        #expect(error?.isFileTooLarge == true)
    }

    @Test(arguments: [("a\r\n", "a"), ("a\nb\n\n", "a\nb"), ("", ""), ("\n", "")])
    func aLineHasNoLineBreakAtItsEnd(text: String, line: String) throws {
        let path = try write(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try SmallFile.line(path, limit: 10) == Array(line.utf8))
    }

    @Test func aMissingFileAndAFolderAreErrors() {
        #expect(throws: SystemCallError.self) { try SmallFile.read("/nowhere/x", limit: 1) }
        #expect(throws: SystemCallError.self) { try SmallFile.read("/tmp", limit: 1) }
    }
}
