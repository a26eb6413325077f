import Foundation
import Glibc

/// Looks whether SQLite's log beside a journal is damaged before its end.
///
/// SQLite takes a frame with a wrong checksum for the end of the log: after a power cut that is where
/// writing stopped. Everything behind it would be given up without a word, and numbers given again.
/// But a commit is written only once the one before is on the disk. Where two commits stand behind the
/// wrong frame, it was right once.
///
/// Format: SQLite's file format, section 4 "The Write-Ahead Log".
struct LogCheck {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let bytes: Data
    private let isBigEndian: Bool
    private let pageSize: Int
    private var sums: (UInt32, UInt32) = (0, 0)

    /// Makes sure that a log has no frame that was right once.
    ///
    /// - Parameter path: The journal.
    /// - Throws: ``Damage``.
    static func run(beside path: String) throws {
        guard access(path + "-wal", F_OK) == 0,
            let bytes = try? Data(contentsOf: URL(filePath: path + "-wal"), options: .alwaysMapped),
            bytes.count > headerSize
        else { return }
        guard var check = LogCheck(bytes) else {
            // A header that is not right: frames that are show that it was.
            guard commits(in: bytes, from: headerSize, pageSize: 4_096) < 2 else {
                throw Damage("its log's header has changed", hidesTheEnd: true)
            }
            return
        }
        guard let wrong = check.firstWrongFrame() else { return }
        guard commits(in: bytes, from: wrong, pageSize: check.pageSize) < 2 else {
            throw Damage("its log has changed ahead of its end", hidesTheEnd: true)
        }
    }

    private init?(_ bytes: Data) {
        self.bytes = bytes
        let magic = Self.number(bytes, 0)
        guard magic & 0xFFFF_FFFE == 0x377F_0682 else { return nil }
        isBigEndian = magic & 1 == 1
        pageSize = Int(Self.number(bytes, 8))
        guard (512...65_536).contains(pageSize) else { return nil }
        add(0..<24)
        guard sums == (Self.number(bytes, 24), Self.number(bytes, 28)) else { return nil }
    }

    /// Where the first frame begins whose checksum is wrong; nil where all are right.
    private mutating func firstWrongFrame() -> Int? {
        let size = Self.frameHeaderSize + pageSize
        var place = Self.headerSize
        while place + size <= bytes.count {
            // Frames of a log that was begun anew end here.
            guard bytes[place + 8..<place + 16] == bytes[16..<24] else { return place }
            add(place..<place + 8)
            add(place + Self.frameHeaderSize..<place + size)
            let written = (Self.number(bytes, place + 16), Self.number(bytes, place + 20))
            guard sums == written else { return place }
            place += size
        }
        return nil
    }

    /// How many frames from a place on are the last of a commit of this log.
    private static func commits(in bytes: Data, from start: Int, pageSize: Int) -> Int {
        let size = frameHeaderSize + pageSize
        var count = 0
        for place in stride(from: start, through: bytes.count - size, by: size)
        where bytes[place + 8..<place + 16] == bytes[16..<24] && number(bytes, place + 4) != 0 {
            count += 1
        }
        return count
    }

    private mutating func add(_ range: Range<Int>) {
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                sums.0 &+= word(bytes, place) &+ sums.1
                sums.1 &+= word(bytes, place + 4) &+ sums.0
            }
        }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
        let value = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }

    private static func number(_ bytes: Data, _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
