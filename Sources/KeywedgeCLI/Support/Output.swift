import Events
import Glibc
import KeywedgeDaemon
import Logging
import WireText

/// Standard output, for a command's results.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static func write(_ fill: (inout [UInt8]) -> Void) throws(OutputError) {
        var output = DescriptorWriter()
        try output.write(fill)
        try output.flush()
    }

    static func write(lines: [String]) throws(OutputError) {
        try write { bytes in for line in lines { bytes += "\(line)\n".utf8 } }
    }

    static func write(_ object: JSONObject, as format: ObjectFormat = .json) throws(OutputError) {
        try write { format.append(object, to: &$0) }
    }

    /// Whether the terminal supports colours and `NO_COLOR` is not set (no-color.org).
    static var takesColour: Bool {
        isTerminal && environmentVariable("TERM") != "dumb"
            && environmentVariable("NO_COLOR") ?? "" == ""
    }

    /// Returns the width of a terminal in columns; nil if the width is unknown.
    static func width(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
        var size = winsize()
        let isTerminal = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return isTerminal && size.ws_col > 0 ? Int(size.ws_col) : nil
    }
}

extension Logger {
    init(writingTo output: BoundedOutput) {
        let isForJournal = environmentVariable("JOURNAL_STREAM") != nil
        self.init(label: "keywedge") { _ in
            StandardErrorLog(isForJournal: isForJournal, output: output)
        }
    }
}

/// Standard error, for messages and progress.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes each line of the text to standard error, with the prefix `keywedge: `.
    static func write(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        raw(lines.map { "keywedge: \(Escaping.sentence.escaped(String($0)))\n" }.joined())
    }

    /// Writes text unchanged to standard error, and ignores errors.
    static func raw(_ text: String) {
        var output = DescriptorWriter(descriptor: STDERR_FILENO, name: "standard error")
        try? output.write(Array(text.utf8))
        try? output.flush()
    }
}

/// Functions that write an entire file; the path `-` stands for standard output.
enum OutputFile {
    /// Writes a file; an existing file is replaced only when the new one is complete.
    ///
    /// Pipes, devices and other special files are written directly. After an error, a regular file is unchanged.
    static func replace(
        _ path: String, _ body: (inout DescriptorWriter) throws -> Void
    ) throws {
        var status = stat()
        guard path != "-", stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            return try write(to: path, body)
        }
        let temporary = path + ".new-\(getpid())"
        do {
            try write(to: temporary, name: path, body)
            guard rename(temporary, path) == 0 else {
                throw SystemCallError(operation: "rename", path: path, errno: errno)
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Empties a file and writes to it directly; after an error, the file may be incomplete.
    static func write(
        to path: String, name: String? = nil, mode: mode_t = 0o644,
        _ body: (inout DescriptorWriter) throws -> Void
    ) throws {
        if path == "-" {
            var output = DescriptorWriter()
            try body(&output)
            return try output.flush()
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "create", path: name ?? path, errno: errno)
        }
        defer { close(descriptor) }
        var output = DescriptorWriter(descriptor: descriptor, name: name ?? path)
        try body(&output)
        try output.flush()
    }
}
