import Glibc
import Testing
import WireText

@testable import Events

@Suite struct DescriptorLinesTests {
    private func lines(_ text: String, limit: Int = 1 << 20) throws -> [String] {
        try withContents(Array(text.utf8)) { descriptor in
            var source = DescriptorLines(descriptor: descriptor, name: "file", limit: limit)
            var lines: [String] = []
            while let line = try source.next() {
                lines.append(String(decoding: line, as: UTF8.self))
            }
            #expect(try source.next() == nil)
            return lines
        }
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]),
        ("a\r\nb\r\n", ["a", "b"]), ("a\rb\n", ["a\rb"]), ("a\r", ["a"]), ("\r", [""]),
        ("\0\n", ["\0"]),
    ])
    func linesEndWithALineFeedOrTheFile(text: String, expected: [String]) throws {
        #expect(try lines(text) == expected)
    }

    @Test func linesMayCrossTheEdgesOfWhatIsReadAtOnce() throws {
        let expected = (0..<30).map { String(repeating: "x\($0)", count: 4_099 + $0) }
        #expect(try lines(expected.joined(separator: "\n")) == expected)
    }

    @Test func aLineHasALimit() throws {
        let long = String(repeating: "x", count: 100)
        #expect(try lines("\(long)\n\(long)", limit: 100) == [long, long])
        let error = LineTooLongError(path: "file", line: 2, limit: 100)
        #expect(throws: error) { try lines("\(long)\n\(long)x\n", limit: 100) }
        #expect(error.description == "file:2: expected at most 100 bytes, found more")
    }

    @Test(arguments: ["\n", ""]) func theLineBehindOneThatIsTooLongIsRead(end: String) throws {
        let long = String(repeating: "x", count: 200_000)
        let text = "a\n\(long)\nb\n\(long)\(end)"
        let read: [String?] = try withContents(Array(text.utf8)) { descriptor in
            var source = DescriptorLines(descriptor: descriptor, name: "file", limit: 100)
            return try (1...5).map { _ in
                do {
                    return try source.next().map { String(decoding: $0, as: UTF8.self) }
                } catch let error as LineTooLongError {
                    return error.description
                }
            }
        }
        let tooLong = "expected at most 100 bytes, found more"
        #expect(read == ["a", "file:2: \(tooLong)", "b", "file:4: \(tooLong)", nil])
    }

    @Test func aDirectoryIsAnError() throws {
        try withFile("/tmp", O_RDONLY | O_DIRECTORY) { descriptor in
            var source = DescriptorLines(descriptor: descriptor, name: "/tmp")
            let error = SystemCallError(operation: "read", path: "/tmp", errno: EISDIR)
            #expect(error.description == "/tmp: read failed: Is a directory (errno 21)")
            #expect(throws: error) { try source.next() }
        }
    }
}
