import Foundation
import Testing

@testable import WireText

struct SmallFileTests {
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
