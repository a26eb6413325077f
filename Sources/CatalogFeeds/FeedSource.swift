import Foundation
import Glibc
import HTTPTypes
package import WebAPI
import WireText

package enum FeedSource: Sendable {
    /// A folder, for instance on a USB stick or a network share.
    case folder(String)
    /// A web server, object store or CDN.
    case web(WebFeed)

    /// The folder's path or the feed's URL; a follower stores it to detect a change of source.
    var name: String {
        switch self {
        case .folder(let path): path
        case .web(let feed): "\(feed.address)"
        }
    }

    func manifest(unless known: FollowerState?) async throws -> Response {
        var fields: HTTPFields = [:]
        fields[.ifNoneMatch] = known?.tag
        fields[.ifModifiedSince] = known?.tag == nil ? known?.modified : nil
        return try await get(FeedManifest.name, fields, or: .notModified)
    }

    func signature() async throws -> [UInt8]? {
        let answer = try await get(FeedManifest.signatureName, or: .notFound)
        return answer.status == .ok ? answer.payload : nil
    }

    /// Reads a small file; throws unless the HTTP status is a success or `other`.
    private func get(
        _ name: String, _ fields: HTTPFields = [:], or other: HTTPResponse.Status
    ) async throws -> Response {
        switch self {
        case .web(let feed): return try await feed.get(name, fields, or: other)
        case .folder(let folder):
            do throws(SystemCallError) {
                let bytes = try SmallFile.read(folder + "/" + name, limit: FeedManifest.longest)
                return Response(status: .ok, payload: bytes)
            } catch {
                guard error.errno == ENOENT, other == .notFound else { throw FeedError.file(error) }
                return Response(status: other, payload: [])
            }
        }
    }

    /// Downloads a file if it is on a web server, checks it, and returns its path.
    func fetch(
        _ name: String, _ file: FeedManifest.File, to downloads: String
    ) async throws -> String {
        guard max(file.size, file.unpacked) <= FileReplacement.free(beside: downloads) / 2 else {
            throw FeedError.content(of: name, .noSpace)
        }
        switch self {
        case .folder(let folder):
            try file.check(folder + "/" + name, name)
            return folder + "/" + name
        case .web(let feed):
            FolderOwner.createFolder(downloads, mode: 0o700)
            let path = downloads + "/" + name
            try await feed.download(name, file, to: path)
            return path
        }
    }
}

/// A feed on a web server; interrupted downloads of data files can resume.
package struct WebFeed: Sendable {
    /// The response size limit for transports, in bytes; servers may send whole files, not parts.
    package static let largestAnswer = 64 << 20
    /// How many bytes to request at a time; at 300 kbit/s, downloading them takes two minutes.
    private static let part: Int64 = 4 << 20
    private static let limit = Duration.seconds(120)
    /// The number of consecutive failed requests without progress after which a download is given up.
    private static let tries = 3

    let address: Address
    private let client: APIClient
    private let authorization: HTTPField?
    private let clock: any Clock<Duration>

    /// Creates a feed from the web folder at `address`, such as `https://example.com/feed`.
    package init(
        at address: Address, over transport: any Transport, authorization: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.address = address
        client = APIClient(transport: transport, redirects: .anyOrigin(maximum: 3))
        self.authorization = try authorization.map {
            try HeaderField.make("Authorization", $0, isSecret: true)
        }
        self.clock = clock
    }

    /// Requests a small file; throws unless the HTTP status indicates success or equals `other`.
    func get(
        _ name: String, _ fields: HTTPFields, or other: HTTPResponse.Status
    ) async throws -> Response {
        let output = try await output(name, fields)
        guard let answer = output.response else { throw failure(output, name) }
        if answer.status != other { try requireSuccess(answer, name) }
        return answer
    }

    /// Downloads the missing part of a file, and checks the whole file.
    func download(_ name: String, _ file: FeedManifest.File, to path: String) async throws {
        for isLast in [false, true] {
            let target = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
            let isResumed = target.size > 0
            var parts = 0
            do {
                try await complete(target, name, file.size, &parts)
                return try file.check(path, name)
            } catch let error as FeedError where error.isOfContent {
                unlink(path)
                guard isResumed || parts > 1, !isLast else { throw error }
            }
        }
    }

    /// Appends downloaded parts to the file until it is complete; counts requests in `parts`.
    private func complete(
        _ target: OpenFile, _ name: String, _ size: Int64, _ parts: inout Int
    ) async throws {
        var failures = 0
        var backoff = Backoff(first: .seconds(1), longest: .seconds(4))
        while target.size < size {
            let before = target.size
            do {
                parts += 1
                try await fetchPart(of: name, size, into: target)
            } catch let error as FeedError {
                failures = target.size > before ? 0 : failures + 1
                if failures == 0 { backoff.reset() }
                guard case .web = error, failures < Self.tries else { throw error }
                try await clock.sleep(for: backoff.next())
            }
        }
    }

    private func fetchPart(
        of name: String, _ size: Int64, into target: OpenFile
    ) async throws {
        let start = target.size
        let end = min(start + Self.part, size) - 1
        let output = try await output(name, [.range: "bytes=\(start)-\(end)"])
        // Keep the bytes that arrived before the connection broke.
        guard let answer = output.response ?? output.connectionError?.partial else {
            throw failure(output, name)
        }
        try requireSuccess(answer, name)
        // Rule: RFC 9110, section 14.4. A server without range support sends the whole file.
        let isWhole = answer.status == .ok
        if isWhole { try target.empty() }
        guard isWhole || answer.headers[.contentRange]?.hasPrefix("bytes \(start)-") == true,
            target.size + Int64(answer.payload.count) <= size,
            !answer.payload.isEmpty || output.response == nil
        else { throw FeedError.content(of: name, .size) }
        try target.write(answer.payload[...])
        if output.response == nil { throw failure(output, name) }
    }

    private func output(_ name: String, _ fields: HTTPFields) async throws -> Output {
        var fields = fields
        fields[.acceptEncoding] = "identity"
        if let authorization { fields.append(authorization) }
        let request = Request(try address.appending(segment: name), headers: fields)
        let output = await client.output(for: request, named: name, within: Self.limit)
        try Task.checkCancellation()
        return output
    }

    private func requireSuccess(_ answer: Response, _ name: String) throws(FeedError) {
        do throws(TransformError) {
            try answer.requireSuccess()
        } catch {
            var wait: Duration?
            if case .throttled(_, let asked, _) = error { wait = asked?.wait(now: .now) }
            switch answer.status {
            // A follower may use another file instead of a missing data file.
            case .notFound where name != FeedManifest.name: throw .content(of: name, .missing)
            case .rangeNotSatisfiable: throw .content(of: name, .size)
            default: throw .web(file: place(of: name), reason: "\(error)", wait: wait, nil)
            }
        }
    }

    private func failure(_ output: Output, _ name: String) -> FeedError {
        let (place, error) = (place(of: name), output.connectionError)
        return .web(file: place, reason: error?.description ?? "no answer", wait: nil, error?.kind)
    }

    private func place(of name: String) -> String {
        (try? address.appending(segment: name))?.description ?? name
    }
}
