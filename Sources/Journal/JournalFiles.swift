import Glibc
import WireText

/// The files of a journal: the database, and what SQLite keeps beside it.
enum JournalFiles {
    /// What a journal's first bytes are, and where its mark is (SQLite's file format, section 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let markOffset = 68

    /// Makes sure that a file may be taken for a journal, even one that is damaged: nothing of
    /// somebody else is ever moved away.
    ///
    /// - Throws: ``JournalError/notAJournal(path:)``.
    static func check(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw JournalError.notAJournal(path: path)
        }
        guard let start = start(of: path), !start.isEmpty else { return }
        let isDatabase = start.starts(with: magic)
        let mark = (0..<4).map {
            UInt8(truncatingIfNeeded: JournalSchema.applicationID >> (24 - 8 * $0))
        }
        let isMarked = start.dropFirst(markOffset).prefix(4).elementsEqual(mark)
        let isZeroed = start.allSatisfy { $0 == 0 }
        guard isDatabase || isMarked || isZeroed else {
            throw JournalError.notAJournal(path: path)
        }
    }

    /// The first hundred bytes; nil where they cannot be read.
    private static func start(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
