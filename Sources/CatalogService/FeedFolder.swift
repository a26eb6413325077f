import Glibc
import HTTPService
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import WireText

/// The folder of a published feed, whose files the service gives to followers.
///
/// A path is a list of plain names, each of which is opened in the folder before it: no name leads
/// upwards, and symbolic links lead nowhere. The folder itself may be reached through a link.
/// Hummingbird's own middleware for files follows links, and serves the wrong part for `bytes=-5`.
struct FeedFolder: Sendable {
    let path: String

    /// - Throws: `SystemCallError` if there is no such folder, or it may not be read.
    init(_ path: String) throws(SystemCallError) {
        self.path = path
        close(try Self.open(path))
    }

    /// Opens the file with this path in the folder.
    ///
    /// - Throws: ``ProblemDetails/noSuchFile``, or `SystemCallError`.
    func file(_ names: [Substring]) async throws -> FeedFile {
        guard !names.isEmpty, names.allSatisfy(Self.isPlain) else {
            throw ProblemDetails.noSuchFile
        }
        // A disk that hangs must not hang the thread that reads the connection.
        return try await NIOThreadPool.singleton.runIfActive { try open(names) }
    }

    private func open(_ names: [Substring]) throws -> FeedFile {
        var descriptor = try Self.open(path)
        for (index, name) in names.enumerated() {
            let kind = index == names.count - 1 ? O_NONBLOCK : O_DIRECTORY
            let next = openat(
                descriptor, String(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind)
            let error = errno
            close(descriptor)
            guard next >= 0 else {
                guard [ENOENT, ENOTDIR, ELOOP].contains(error) else {
                    throw SystemCallError(operation: "open", path: path, errno: error)
                }
                throw ProblemDetails.noSuchFile
            }
            descriptor = next
        }
        return try FeedFile(descriptor, name: String(names.last ?? ""))
    }

    private static func open(_ path: String) throws(SystemCallError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        return descriptor
    }

    /// Names that begin with a point are hidden, as those of unfinished files.
    private static func isPlain(_ name: Substring) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil
    }
}

/// An open file of a feed; feeds replace their files and never rewrite them.
final class FeedFile: Sendable {
    /// How many bytes are read and sent at once.
    private static let piece = 128 << 10

    private let descriptor: Int32
    private let size: Int
    private let tag: String
    private let name: String

    /// Takes over a descriptor.
    ///
    /// - Throws: ``ProblemDetails/noSuchFile`` if it is not a regular file.
    init(_ descriptor: Int32, name: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ProblemDetails.noSuchFile
        }
        self.descriptor = descriptor
        self.name = name
        size = status.st_size
        let parts = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(size),
            UInt64(status.st_mtim.tv_sec), UInt64(status.st_mtim.tv_nsec),
        ]
        tag = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    deinit { close(descriptor) }

    /// The file, the part of it that is asked for, or that the client has it already.
    ///
    /// Rule: RFC 9110, sections 13.2.2, 14.2 and 14.4.
    func response(to request: Request) -> Response {
        var fields: HTTPFields = [
            .cacheControl: caching, .eTag: tag, .acceptRanges: "bytes",
            .xContentTypeOptions: "nosniff",
        ]
        if request.has(tag: tag) { return Response(status: .notModified, headers: fields) }
        fields[.contentType] = mediaType
        let isMeant = request.headers[.ifRange].map { $0 == tag } ?? true
        guard isMeant, let part = Self.part(request.headers[.range], of: size) else {
            return Response(status: .ok, headers: fields, body: body(0..<size))
        }
        guard !part.isEmpty else {
            fields[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        return Response(status: .partialContent, headers: fields, body: body(part))
    }

    /// The bytes that a value of `Range` asks for, empty if the file has none of them; nil for all,
    /// also if it asks in a way that may be ignored, as for several ranges.
    private static func part(_ text: String?, of size: Int) -> Range<Int>? {
        guard let match = text?.wholeMatch(of: /(?i:bytes)= *([0-9]*) *- *([0-9]*) */) else {
            return nil
        }
        let (first, last) = (Int(match.1.prefix(18)), Int(match.2.prefix(18)))
        switch (first, last) {
        case (let first?, let last?):
            return first > last ? nil : min(first, size)..<min(last + 1, size)
        case (let first?, nil): return min(first, size)..<size
        case (nil, let count?): return max(0, size - count)..<size
        case (nil, nil): return nil
        }
    }

    /// The manifest and its signature change; every other file has a name of its own content.
    private var caching: String {
        name.hasPrefix("feed.") ? "no-cache" : "max-age=31536000, immutable"
    }

    private var mediaType: String {
        if name.hasSuffix(".json") { return "application/json" }
        return name.hasSuffix(".zst") ? "application/zstd" : "application/octet-stream"
    }

    private func body(_ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { [self] writer in
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
                let count = min(Self.piece, range.upperBound - offset)
                let bytes = try await NIOThreadPool.singleton.runIfActive { [self] in
                    try read(count, at: offset)
                }
                try await writer.write(bytes)
            }
            try await writer.finish(nil)
        }
    }

    /// Reads so many bytes, and no fewer.
    private func read(_ count: Int, at offset: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            var done = 0
            while done < count {
                let got = pread(
                    descriptor, bytes.baseAddress?.advanced(by: done), count - done, offset + done)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    let error = got < 0 ? errno : EIO
                    throw SystemCallError(operation: "read", path: name, errno: error)
                }
                done += got
            }
            return done
        }
        return buffer
    }
}
