import CZlib
import Glibc
import WireText

/// Compresses a file into another one, piece by piece, in the format of gzip.
///
/// The same content gives the same bytes: there is no time in it.
///
/// Rule: RFC 1952.
struct GzipWriter {
    /// How many bytes are read at once.
    private static let piece = 256 << 10
    /// A file is compressed once and sent a thousand times, but somebody waits for it.
    private static let level: CInt = 4

    /// Compresses everything.
    ///
    /// - Parameters:
    ///   - input: Is read from its start to its end.
    ///   - output: Is written to.
    ///   - comment: Stands ahead of the content; no NUL.
    /// - Throws: `SystemCallError`.
    static func compress(
        _ input: Int32, into output: Int32, comment: String
    ) throws(SystemCallError) {
        // No time, no name, any system; there is a comment.
        let head: [UInt8] = [0x1F, 0x8B, 8, 0x10, 0, 0, 0, 0, 0, 0xFF] + Array(comment.utf8) + [0]
        try FilePieces.write(head, to: output)
        var stream = z_stream()
        let version = ZLIB_VERSION
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, version,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw SystemCallError(operation: "compress", errno: ENOMEM) }
        defer { deflateEnd(&stream) }
        var (sum, size) = (crc32(0, nil, 0), UInt32(0))
        var packed = [UInt8](repeating: 0, count: piece)
        var isEnd = false
        while !isEnd {
            var bytes = try FilePieces.read(piece, from: input)
            isEnd = bytes.isEmpty
            sum = crc32(sum, bytes, UInt32(bytes.count))
            size &+= UInt32(bytes.count)
            try deflate(&stream, &bytes, isEnd, &packed, output)
        }
        let tail = [UInt32(truncatingIfNeeded: sum), size].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        try FilePieces.write(tail, to: output)
    }

    private static func deflate(
        _ stream: inout z_stream, _ bytes: inout [UInt8], _ isEnd: Bool, _ packed: inout [UInt8],
        _ output: Int32
    ) throws(SystemCallError) {
        let room = packed.count
        var consumed = 0
        var count = 0
        repeat {
            count = bytes.withUnsafeMutableBufferPointer { input in
                packed.withUnsafeMutableBufferPointer { packed in
                    stream.next_in = input.baseAddress.map { $0 + consumed }
                    stream.avail_in = UInt32(input.count - consumed)
                    stream.next_out = packed.baseAddress
                    stream.avail_out = UInt32(room)
                    _ = CZlib.deflate(&stream, isEnd ? Z_FINISH : Z_NO_FLUSH)
                    consumed = input.count - Int(stream.avail_in)
                    return room - Int(stream.avail_out)
                }
            }
            try FilePieces.write(packed[..<count], to: output)
        } while count == room
    }

    /// The comment of a file; nil where it has none, or is no such file.
    ///
    /// - Parameter head: The first bytes of the file.
    /// - Returns: The comment.
    static func comment(in head: [UInt8]) -> String? {
        guard head.count > 10, head.starts(with: [0x1F, 0x8B, 8, 0x10]),
            let end = head[10...].firstIndex(of: 0)
        else { return nil }
        return String(decoding: head[10..<end], as: UTF8.self)
    }
}

/// Decompresses a file into another one, piece by piece, up to a size.
///
/// Rule: RFC 1952.
struct GzipReader {
    private static let piece = 256 << 10

    /// Why a file was not decompressed.
    enum Failure: Error, Equatable {
        /// It is no such file, or damaged, or ends before its end.
        case damaged
        /// It is larger than allowed.
        case tooLarge
        /// A file cannot be read or written.
        case file(SystemCallError)
    }

    /// Decompresses everything.
    ///
    /// - Parameters:
    ///   - input: Is read from where it stands to its end.
    ///   - output: Is written to.
    ///   - limit: How many bytes there may be.
    /// - Throws: ``Failure``.
    static func decompress(
        _ input: Int32, into output: Int32, limit: Int64
    ) throws(Failure) {
        var stream = z_stream()
        let size = CInt(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { throw .damaged }
        defer { inflateEnd(&stream) }
        var plain = [UInt8](repeating: 0, count: piece)
        var written: Int64 = 0
        while true {
            var bytes = try translating { () throws(SystemCallError) in
                try FilePieces.read(piece, from: input)
            }
            guard !bytes.isEmpty else { throw .damaged }
            var consumed = 0
            var isFull = true
            while consumed < bytes.count || isFull {
                let (status, count) = inflate(&stream, &bytes, &consumed, &plain)
                written += Int64(count)
                guard written <= limit else { throw .tooLarge }
                try translating { () throws(SystemCallError) in
                    try FilePieces.write(plain[..<count], to: output)
                }
                if status == Z_STREAM_END { return }
                guard status == Z_OK || status == Z_BUF_ERROR else { throw .damaged }
                isFull = count == plain.count
            }
        }
    }

    private static func inflate(
        _ stream: inout z_stream, _ bytes: inout [UInt8], _ consumed: inout Int,
        _ plain: inout [UInt8]
    ) -> (status: CInt, count: Int) {
        let room = plain.count
        let (status, used, count) = bytes.withUnsafeMutableBufferPointer { input in
            plain.withUnsafeMutableBufferPointer { plain in
                stream.next_in = input.baseAddress.map { $0 + consumed }
                stream.avail_in = UInt32(input.count - consumed)
                stream.next_out = plain.baseAddress
                stream.avail_out = UInt32(room)
                let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                return (status, input.count - Int(stream.avail_in), room - Int(stream.avail_out))
            }
        }
        consumed = used
        return (status, count)
    }

    private static func translating<Value>(
        _ body: () throws(SystemCallError) -> Value
    ) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            throw .file(error)
        }
    }
}
