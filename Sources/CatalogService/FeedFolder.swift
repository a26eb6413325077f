import Catalog
import Glibc
import HTTPService
import HTTPTypes
import Hummingbird
import NIOPosix
import WireText

/// The folder of a published feed, whose files the service sends to followers.
///
/// A requested path may contain only plain names, so that it cannot lead out of the folder. Symbolic links in the
/// folder are not followed, but the folder itself may be a link. Hummingbird's own middleware for files would follow
/// links, and would send the wrong part of a file for `bytes=-5`.
struct FeedFolder: Sendable {
    private let path: String

    /// Creates an instance for the folder at `path`; throws if it does not exist or cannot be read.
    init(_ path: String) throws(SystemCallError) {
        self.path = path
        _ = try root()
    }

    /// Returns the folder's path with symbolic links resolved; throws if the folder cannot be read.
    private func root() throws(SystemCallError) -> String {
        guard access(path + "/.", R_OK | X_OK) == 0, let root = Self.resolved(path) else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        return root
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Finds the file with this path in the folder; throws `ProblemDetails.noSuchFile` if it is missing.
    ///
    /// The entity tag is the file's `FileStamp`, which identifies the content because a feed's files are never
    /// rewritten in place.
    private func find(_ names: [Substring]) throws -> (path: String, size: Int, tag: String) {
        let file = ([try root()] + names.map(String.init)).joined(separator: "/")
        guard let resolved = Self.resolved(file) else {
            guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else {
                throw SystemCallError(operation: "open", path: path, errno: errno)
            }
            throw ProblemDetails.noSuchFile
        }
        guard resolved == file, let stamp = FileStamp(path: file), stamp.isFile else {
            throw ProblemDetails.noSuchFile
        }
        return (file, Int(stamp.size), "\"\(stamp)\"")
    }

    /// Responds with the file at this path or the requested part of it, or with 304 if the client already has it.
    ///
    /// Rule: RFC 9110, sections 13.2.2, 14.2 and 14.4.
    func response(
        to request: Request, for names: [Substring], _ context: BasicRequestContext
    ) async throws -> Response {
        // Names that begin with a dot, such as those of unfinished files, are not served.
        guard let name = names.last,
            names.allSatisfy({ $0.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil })
        else { throw ProblemDetails.noSuchFile }
        // A disk that hangs must not block the thread that reads the connection.
        let (file, size, tag) = try await NIOThreadPool.singleton.runIfActive { try find(names) }
        // The manifest and its signature change; every other file is named after its content.
        let isFixed = !name.hasPrefix("feed.")
        var fields: HTTPFields = [
            .cacheControl: isFixed ? "max-age=31536000, immutable" : "no-cache", .eTag: tag,
            .acceptRanges: "bytes", .xContentTypeOptions: "nosniff",
        ]
        if request.has(tag: tag) { return Response(status: .notModified, headers: fields) }
        fields[.contentType] = Self.mediaType(of: name)
        let isMeant = request.headers[.ifRange].map { $0 == tag } ?? true
        guard isMeant, let part = Self.part(request.headers[.range], of: size) else {
            let body = try await FileIO().loadFile(path: file, context: context)
            return Response(status: .ok, headers: fields, body: body)
        }
        guard let last = part.last else {
            fields[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        fields[.contentRange] = "bytes \(part.lowerBound)-\(last)/\(size)"
        let body = try await FileIO().loadFile(
            path: file, range: part.lowerBound...last, context: context)
        return Response(status: .partialContent, headers: fields, body: body)
    }

    /// Returns the part of a file that a `Range` header requests; empty if it lies beyond the end of the file.
    ///
    /// Returns nil, which means the whole file, if the header is missing or invalid, or lists several ranges.
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

    private static func mediaType(of name: Substring) -> String {
        if name.hasSuffix(".json") { return "application/json" }
        return name.hasSuffix(".zst") ? "application/zstd" : "application/octet-stream"
    }
}
