import ArgumentParser
import Events
import WireText

/// The codes a command is about: its arguments, or the lines of standard input where there is none.
struct CodeInput: ParsableArguments {
    @Argument(
        help: """
            Codes as a scanner types them, with or without an AIM identifier; without any, the \
            lines of standard input.
            """)
    var codes: [String] = []

    @Flag(
        help: """
            Take codes as they are; else a control character may be written with a backslash, as \
            \\x1d, and a backslash itself as \\\\.
            """)
    var raw = false

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Calls `body` with each code.
    ///
    /// One that cannot be read is named on standard error, and the others come all the same.
    /// Standard input may begin with a byte order mark, and its lines may end with CR LF; blanks are
    /// part of a line, and a line with nothing in it is passed over.
    ///
    /// - Parameter body: Is called with each code, its escapes read.
    /// - Returns: How many codes could not be read.
    /// - Throws: What `body` throws, and where standard input fails.
    func forEach(_ body: (String) async throws -> Void) async throws -> Int {
        if codes.isEmpty { return try await forEachLine(body) }
        var unreadable = 0
        for (index, code) in codes.enumerated() {
            let code = CommandLineTexts.isUTF8(code) ? code : nil
            if let text = readable(code, at: "code \(index + 1)") {
                try await body(text)
            } else {
                unreadable += 1
            }
        }
        return unreadable
    }

    private func forEachLine(_ body: (String) async throws -> Void) async throws -> Int {
        var lines = DescriptorLines(descriptor: 0, name: "standard input")
        var number = 0
        var unreadable = 0
        while let line = try orFail({ try Self.next(of: &lines) }) {
            number += 1
            guard case .success(let bytes) = line else {
                unreadable += 1
                continue
            }
            let code = String(validating: Self.code(in: bytes, number: number), as: UTF8.self)
            if code?.isEmpty == true { continue }
            if let text = readable(code, at: "standard input:\(number)") {
                try await body(text)
            } else {
                unreadable += 1
            }
        }
        return unreadable
    }

    /// The next line; one that is too long is told.
    private static func next(
        of lines: inout DescriptorLines
    ) throws -> Result<[UInt8], LineTooLongError>? {
        do {
            return try lines.next().map { .success($0) }
        } catch let error as LineTooLongError {
            StandardError.write("keywedge: \(error)")
            return .failure(error)
        }
    }

    private static func code(in line: [UInt8], number: Int) -> ArraySlice<UInt8> {
        let isMarked = number == 1 && line.starts(with: byteOrderMark)
        return isMarked ? line.dropFirst(byteOrderMark.count) : line[...]
    }

    /// The text that a code means; `nil` where it cannot be read, which is told.
    ///
    /// - Parameters:
    ///   - code: The code; `nil` where it is no UTF-8.
    ///   - place: Where it stands.
    /// - Returns: The text.
    private func readable(_ code: String?, at place: String) -> String? {
        guard let code else {
            StandardError.write("keywedge: \(place): expected UTF-8")
            return nil
        }
        guard !raw else { return code }
        do {
            return try Backslashes.meaning(of: code)
        } catch {
            StandardError.write("keywedge: \(place): \(error)")
            return nil
        }
    }
}
