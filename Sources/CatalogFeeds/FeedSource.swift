import Glibc
import HTTPTypes
package import WebAPI
import WireText

/// Where a feed's files are: on a web server, or in a folder.
package enum FeedSource: Sendable {
    /// A folder: a stick, a share, or where `publish` writes.
    case folder(String)
    /// The address of the folder on a web server, object store or CDN.
    case web(Address, WebFeed)

    /// What a follower's state calls it.
    var name: String {
        switch self {
        case .folder(let path): path
        case .web(let address, _): address.description
        }
    }

    /// The manifest, unless it has not changed.
    func manifest(unless known: FeedTag?) async throws -> WebFeed.Manifest {
        switch self {
        case .folder(let path):
            return .content(try Self.read(path, FeedManifest.name, FeedManifest.longest), nil)
        case .web(let address, let feed): return try await feed.manifest(at: address, unless: known)
        }
    }

    /// The manifest's signature; nil if there is none.
    func signature() async throws -> [UInt8]? {
        switch self {
        case .folder(let path):
            do {
                return try Self.read(path, FeedManifest.signatureName, 64)
            } catch .file(let error) where error.errno == ENOENT {
                return nil
            }
        case .web(let address, let feed): return try await feed.signature(at: address)
        }
    }

    /// Brings a file here, and checks it.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - file: What the manifest says of it.
    ///   - base: What the names of downloads begin with.
    /// - Returns: Where it is.
    func fetch(
        _ name: String, _ file: FeedManifest.File, beside base: String
    ) async throws -> String {
        switch self {
        case .folder(let folder):
            try FileBytes.check(folder + "/" + name, name, file)
            return folder + "/" + name
        case .web(let address, let feed):
            let path = base + file.sha256.prefix(16)
            try await feed.download(name, file, from: address, to: path)
            return path
        }
    }

    private static func read(
        _ folder: String, _ name: String, _ limit: Int
    ) throws(FeedError) -> [UInt8] {
        do {
            return try SmallFile.read(folder + "/" + name, limit: limit)
        } catch {
            throw .file(error)
        }
    }
}

/// What a server calls a version of the manifest.
struct FeedTag: Equatable, Sendable {
    /// The field `ETag`, else `Last-Modified`.
    var (tag, date): (String?, String?)
}

/// Reads the files of a feed over HTTP: with ranges, so that a download that was cut resumes.
package struct WebFeed: Sendable {
    /// What asking for the manifest gives.
    enum Manifest {
        case unchanged
        case content([UInt8], FeedTag?)
    }

    /// The most bytes that a transport of feeds should take for one answer: a server without ranges
    /// gives whole files.
    package static let largestAnswer = 64 << 20
    /// How many bytes are asked for at once: in two minutes they come over 300 kbit/s.
    private static let part: Int64 = 4 << 20
    private static let limit = Duration.seconds(120)
    /// How often a download is tried again that has not come further.
    private static let tries = 3

    private let client: APIClient
    private let authorization: HTTPField?
    private let clock: any Clock<Duration>

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - transport: What carries requests.
    ///   - authorization: The value of the field `Authorization`; nil for none.
    ///   - clock: What waits between tries.
    /// - Throws: `HeaderFieldError`.
    package init(
        over transport: any Transport, authorization: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        client = APIClient(transport: transport, redirects: .anyOrigin(maximum: 3))
        self.authorization = try authorization.map {
            try HeaderField.make("Authorization", $0, isSecret: true)
        }
        self.clock = clock
    }

    func manifest(at base: Address, unless known: FeedTag?) async throws -> Manifest {
        var fields: HTTPFields = [:]
        fields[.ifNoneMatch] = known?.tag
        fields[.ifModifiedSince] = known?.tag == nil ? known?.date : nil
        let response = try await answer(FeedManifest.name, at: base, fields)
        if response.status == .notModified, known != nil { return .unchanged }
        try requireSuccess(response, FeedManifest.name)
        let tag = FeedTag(
            tag: response.headers[.eTag], date: response.headers[.lastModified])
        return .content(response.payload, tag.tag == nil && tag.date == nil ? nil : tag)
    }

    func signature(at base: Address) async throws -> [UInt8]? {
        let response = try await answer(FeedManifest.signatureName, at: base, [:])
        if response.status == .notFound { return nil }
        try requireSuccess(response, FeedManifest.signatureName)
        return response.payload
    }

    /// Fetches what is missing of a file.
    ///
    /// Its name and its SHA-256 say which bytes belong together, so a part of it is good whenever it
    /// came; what was put together wrongly is fetched once more.
    func download(
        _ name: String, _ file: FeedManifest.File, from base: Address, to path: String
    ) async throws {
        guard file.size <= FileBytes.free(beside: path) / 2 else {
            throw FeedError.noSpace(file: name)
        }
        let download = try Download(path: path)
        let isResumed = download.count > 0
        do {
            try await fill(download, name, file, from: base)
            try FileBytes.check(path, name, file)
        } catch let error as FeedError where error.isOfContent {
            try download.clear()
            guard isResumed else { throw error }
            try await fill(download, name, file, from: base)
            try FileBytes.check(path, name, file)
        }
    }

    private func fill(
        _ download: Download, _ name: String, _ file: FeedManifest.File, from base: Address
    ) async throws {
        var failures = 0
        while download.count < file.size {
            let before = download.count
            do {
                try await fetchPart(into: download, name, file, from: base)
            } catch let error as FeedError {
                guard case .web = error, !Task.isCancelled else { throw error }
                failures = download.count > before ? 0 : failures + 1
                guard failures < Self.tries else { throw error }
                try await clock.sleep(for: .milliseconds(500 << failures))
            }
        }
    }

    private func fetchPart(
        into download: Download, _ name: String, _ file: FeedManifest.File, from base: Address
    ) async throws {
        let start = download.count
        let end = min(start + Self.part, file.size) - 1
        let output = await output(name, at: base, [.range: "bytes=\(start)-\(end)"])
        try Task.checkCancellation()
        // What had come before the connection ended is part of the file, too.
        guard let response = output.response ?? output.connectionError?.partial else {
            throw failure(output, name)
        }
        switch response.status {
        case .partialContent where Self.start(of: response) == start: break
        case .ok: try download.clear()
        case .rangeNotSatisfiable: throw FeedError.size(file: name, expected: file.size)
        default:
            try requireSuccess(response, name)
            throw FeedError.web(file: name, reason: "the answer has another range", wait: nil)
        }
        guard download.count + Int64(response.payload.count) <= file.size else {
            throw FeedError.size(file: name, expected: file.size)
        }
        try download.append(response.payload)
        if output.response == nil { throw failure(output, name) }
        guard download.count > start else {
            throw FeedError.size(file: name, expected: file.size)
        }
    }

    /// Rule: RFC 9110, section 14.4.
    private static func start(of response: Response) -> Int64? {
        guard let text = response.headers[.contentRange], text.hasPrefix("bytes ") else { return nil }
        return Int64(text.dropFirst(6).prefix { $0 != "-" })
    }

    private func output(_ name: String, at base: Address, _ fields: HTTPFields) async -> Output {
        var fields = fields
        fields[.acceptEncoding] = "identity"
        if let authorization { fields.append(authorization) }
        guard let url = try? base.appending(segment: name) else {
            return .noResponse(ConnectionError(.other, during: .connect))
        }
        return await client.output(
            for: Request(url, headers: fields), named: name, within: Self.limit)
    }

    private func answer(
        _ name: String, at base: Address, _ fields: HTTPFields
    ) async throws -> Response {
        let output = await output(name, at: base, fields)
        try Task.checkCancellation()
        guard let response = output.response else { throw failure(output, name) }
        return response
    }

    private func requireSuccess(_ response: Response, _ name: String) throws(FeedError) {
        do throws(TransformError) {
            try response.requireSuccess()
        } catch {
            var wait: Duration?
            if case .throttled(_, let asked, _) = error { wait = asked?.wait(now: .now) }
            throw .web(file: name, reason: "\(error)", wait: wait)
        }
    }

    private func failure(_ output: Output, _ name: String) -> FeedError {
        let reason = output.connectionError.map { "\($0)" } ?? "no answer"
        return .web(file: name, reason: reason, wait: nil)
    }
}

/// A file that is being fetched; what has come stays until it is used.
private final class Download {
    private let path: String
    private let descriptor: Int32
    private(set) var count: Int64

    init(path: String) throws(FeedError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        var status = stat()
        count = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        guard descriptor >= 0 else { throw FileBytes.failure("create", path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(FeedError) {
        do throws(SystemCallError) {
            try FileBytes.write(bytes[...], to: descriptor, path)
        } catch {
            throw .file(error)
        }
        count += Int64(bytes.count)
    }

    func clear() throws(FeedError) {
        guard ftruncate(descriptor, 0) == 0 else { throw FileBytes.failure("truncate", path) }
        count = 0
    }
}
