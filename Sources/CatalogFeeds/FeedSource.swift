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
            let bytes = try read(FeedManifest.name, FeedManifest.longest)
            return Response(status: .ok, payload: bytes ?? [])
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

    /// Checks a file, after downloading it into a folder if it is not here; returns its path.
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
            mkdir(downloads, 0o700)
            let path = downloads + "/" + name
            try await feed.download(name, file, to: path)
            return path
        }
    }

    /// A small file of the folder; nil if it is missing, unless it is the manifest.
    private func read(_ name: String, _ limit: Int) throws(FeedError) -> [UInt8]? {
        do throws(SystemCallError) {
            return try SmallFile.read(self.name + "/" + name, limit: limit)
        } catch {
            guard error.errno == ENOENT, name != FeedManifest.name else { throw .file(error) }
            return nil
        }
    }
}

/// Reads the files of a feed over HTTP: in ranges, so that a cut download resumes.
package struct WebFeed: Sendable {
    /// The largest answer that a feed's transport should accept: a server without ranges sends whole files.
    package static let largestAnswer = 64 << 20
    /// How many bytes to ask for at once: in two minutes they arrive at 300 kbit/s.
    private static let part: Int64 = 4 << 20
    private static let limit = Duration.seconds(120)
    /// After how many failures in a row without progress a download ends.
    private static let tries = 3

    let address: Address
    private let client: APIClient
    private let authorization: HTTPField?
    private let clock: any Clock<Duration>

    /// Makes a reader of the files at an address, which excludes their names.
    ///
    /// - Throws: `HeaderFieldError` for a value that cannot be sent as `Authorization`.
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
    /// Its SHA-256 decides whether the parts belong together. If they do not, since the server changed
    /// the file between two of them, they go, and the whole file is fetched once more.
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

    /// Appends parts of a file until it has its size; counts them.
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
        // What had arrived before the connection ended is part of the file, too.
        guard let answer = output.response ?? output.connectionError?.partial else {
            throw failure(output, name)
        }
        try requireSuccess(answer, name)
        // Rule: RFC 9110, section 14.4. A server without ranges sends all of it.
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
