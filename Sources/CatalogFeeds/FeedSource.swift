import Foundation
import Glibc
import HTTPTypes
package import WebAPI
import WireText

/// Where a feed's files are.
package enum FeedSource: Sendable {
    /// A folder: a stick, a share, or the one that is published into.
    case folder(String)
    /// A web server, object store or CDN.
    case web(WebFeed)

    /// What a follower's state calls it.
    var name: String {
        switch self {
        case .folder(let path): path
        case .web(let feed): "\(feed.address)"
        }
    }

    /// The manifest as an answer; 304 if it is the one of a state.
    func manifest(unless known: FollowerState?) async throws -> Response {
        guard case .web(let feed) = self else {
            return Response(
                status: .ok, payload: try read(FeedManifest.name, FeedManifest.longest) ?? [])
        }
        var fields: HTTPFields = [:]
        fields[.ifNoneMatch] = known?.tag
        fields[.ifModifiedSince] = known?.tag == nil ? known?.modified : nil
        return try await feed.get(FeedManifest.name, fields, allowing: [.ok, .notModified])
    }

    /// The manifest's signature; nil if there is none.
    func signature() async throws -> [UInt8]? {
        let name = FeedManifest.signatureName
        guard case .web(let feed) = self else { return try read(name, 64) }
        let answer = try await feed.get(name, [:], allowing: [.ok, .notFound])
        return answer.status == .ok ? answer.payload : nil
    }

    /// Brings a file here, and checks it.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - file: What the manifest says of it.
    ///   - downloads: What the paths of downloads begin with.
    /// - Returns: Where it is.
    /// - Throws: ``FeedError``, `CancellationError`.
    func fetch(
        _ name: String, _ file: FeedManifest.File, to downloads: String
    ) async throws -> String {
        switch self {
        case .folder(let folder):
            try file.check(folder + "/" + name, name)
            return folder + "/" + name
        case .web(let feed):
            try await feed.download(name, file, to: downloads + name)
            return downloads + name
        }
    }

    /// A small file of the folder; nil if there is none but its manifest, which is an error.
    private func read(_ name: String, _ limit: Int) throws(FeedError) -> [UInt8]? {
        do throws(SystemCallError) {
            return try SmallFile.read(self.name + "/" + name, limit: limit)
        } catch {
            guard error.errno == ENOENT, name != FeedManifest.name else { throw .file(error) }
            return nil
        }
    }
}

/// Reads the files of a feed over HTTP: in ranges, so that a download that was cut resumes.
package struct WebFeed: Sendable {
    /// How large an answer a transport of feeds should take: a server without ranges gives files whole.
    package static let largestAnswer = 64 << 20
    /// How many bytes are asked for at once: in two minutes they come over 300 kbit/s.
    private static let part: Int64 = 4 << 20
    private static let limit = Duration.seconds(120)
    /// How often a download is tried again that has not come further.
    private static let tries = 3

    let address: Address
    private let client: APIClient
    private let authorization: HTTPField?
    private let clock: any Clock<Duration>

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - address: Where the files are, without their names.
    ///   - transport: What carries requests.
    ///   - authorization: The value of the field `Authorization`; nil for none.
    ///   - clock: What waits between tries.
    /// - Throws: `HeaderFieldError`.
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

    /// A small file as an answer with one of these statuses.
    func get(
        _ name: String, _ fields: HTTPFields, allowing statuses: [HTTPResponse.Status]
    ) async throws -> Response {
        let output = try await output(name, fields)
        guard let answer = output.response else { throw failure(output, name) }
        if !statuses.contains(answer.status) { try requireSuccess(answer, name) }
        return answer
    }

    /// Fetches what is missing of a file.
    ///
    /// Its SHA-256 says which bytes belong together, so a part of it is good whenever it came.
    func download(_ name: String, _ file: FeedManifest.File, to path: String) async throws {
        guard file.size <= FileReplacement.free(beside: path) / 2 else {
            throw FeedError.content(of: name, .noSpace)
        }
        do {
            let target = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
            var failures = 0
            while target.size < file.size {
                let before = target.size
                do {
                    try await fetchPart(of: name, file.size, into: target)
                } catch let error as FeedError {
                    failures = target.size > before ? 0 : failures + 1
                    guard case .web = error, failures < Self.tries else { throw error }
                    try await clock.sleep(for: .milliseconds(500 << failures))
                }
            }
            try file.check(path, name)
        } catch let error as FeedError where error.isOfContent {
            // The next time begins anew.
            unlink(path)
            throw error
        }
    }

    private func fetchPart(
        of name: String, _ size: Int64, into target: OpenFile
    ) async throws {
        let start = target.size
        let end = min(start + Self.part, size) - 1
        let output = try await output(name, [.range: "bytes=\(start)-\(end)"])
        // What had come before the connection ended is part of the file, too.
        guard let answer = output.response ?? output.connectionError?.partial else {
            throw failure(output, name)
        }
        try requireSuccess(answer, name)
        // Rule: RFC 9110, section 14.4. A server without ranges gives all of it.
        if answer.status == .ok { try target.empty() }
        let isThere =
            answer.status == .ok
            || answer.headers[.contentRange]?.hasPrefix("bytes \(start)-") == true
        guard isThere, target.size + Int64(answer.payload.count) <= size,
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
            // A file that is gone may be replaced by another one.
            case .notFound where name != FeedManifest.name: throw .content(of: name, .missing)
            case .rangeNotSatisfiable: throw .content(of: name, .size)
            default: throw .web(file: name, reason: "\(error)", wait: wait)
            }
        }
    }

    private func failure(_ output: Output, _ name: String) -> FeedError {
        .web(file: name, reason: output.connectionError?.description ?? "no answer", wait: nil)
    }
}
