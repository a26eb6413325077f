import Events
import Glibc
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

    /// Whether to use colours: only on a terminal that supports them, and not if `NO_COLOR` is set (no-color.org).
    static var takesColour: Bool {
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
        return isTerminal && !isDumb && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }

    /// The width of the terminal in columns; nil if standard output is not a terminal.
    static var width: Int? { columns(of: STDOUT_FILENO) }

    fileprivate static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

/// Standard error, for everything that is not a result.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of the terminal in columns; nil if standard error is not a terminal.
    static var width: Int? { StandardOutput.columns(of: STDERR_FILENO) }

    /// Writes each line with the prefix `keywedge: `; ignores write errors, because there is nowhere else to report
    /// them.
    static func write(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        raw(lines.map { "keywedge: \(Escaping.sentence.escaped(String($0)))\n" }.joined())
    }

    static func raw(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes {
                Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            guard written > 0 else {
                if errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(written)
        }
    }
}

/// An output file, written from start to end; `-` stands for standard output.
enum OutputFile {
    /// Writes a file; an existing file is replaced only when the new one is complete.
    ///
    /// Pipes, devices and other special files are written directly. If this throws, a regular file stays unchanged.
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

    /// Empties a file and writes to it directly; if this throws, the file may be incomplete.
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
