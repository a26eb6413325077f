import WireText

/// The bytes of a configuration file, and the text they are.
enum ConfigurationFile {
    /// The longest file that is read, in bytes.
    static let longest = 1 << 20

    /// Reads a file, or what is written to a pipe.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - context: Where problems go.
    /// - Returns: The text; nil after a problem, and where the file cannot be read.
    static func text(path: String, _ context: ReadingContext) -> String? {
        guard !path.contains("\0") else {
            context.report(expected: "a path without a NUL", found: "one with a NUL in it")
            return nil
        }
        do throws(SystemCallError) {
            return text(try SmallFile.read(path, limit: longest), context)
        } catch {
            if error.isFileTooLarge {
                context.report(
                    expected: "a file of at most \(longest) bytes", found: "a longer one")
            } else {
                context.unreadable = error
            }
            return nil
        }
    }

    /// The text that bytes are; a line that is no UTF-8 is reported.
    static func text(_ bytes: [UInt8], _ context: ReadingContext) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        context.report(line: (line ?? 0) + 1, expected: "text in UTF-8", found: "other bytes")
        return nil
    }
}
