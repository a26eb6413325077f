import Foundation
import Glibc
import TestFolders
import TestWaiting
import Testing
import WireText

@Suite(.blocking, .timeLimit(.minutes(10))) struct SmallFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fifo() throws -> String {
        let path = folder.path("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func aLineHasNoLineBreaksAtItsEnd() throws {
        try Data("secret\r\n\n".utf8).write(to: URL(filePath: folder.path("file")))
        #expect(try SmallFile.line(folder.path("file"), limit: 9) == Array("secret".utf8))
        #expect(throws: SystemCallError.self) {
            try SmallFile.line(folder.path("file"), limit: 8)
        }
    }

    @Test(arguments: [false, true])
    func aFIFOIsNotWaitedForForever(hasWriter: Bool) throws {
        let path = try fifo()
        let timeout = SystemCallError(operation: "read", path: path, errno: ETIMEDOUT)
        guard hasWriter else {
            #expect(throws: timeout) { try SmallFile.read(path, limit: 9) }
            return
        }
        // Also opened for reading, so that `open` does not wait for a reader.
        let writer = open(path, O_RDWR | O_CLOEXEC)
        try #require(writer >= 0)
        defer { close(writer) }
        try #require(write(writer, "half", 4) == 4)
        #expect(throws: timeout) { try SmallFile.read(path, limit: 9) }
    }
}
