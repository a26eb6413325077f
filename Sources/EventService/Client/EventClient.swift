package import Events
package import Journal
package import WebAPI
import WireText

/// A client of the daemon's HTTP interface, over its unix socket.
///
/// Its methods throw ``EventClientError`` if the daemon refuses a request, ``DaemonUnreachable`` if the connection
/// fails, `CancellationError` if the task is cancelled, and `CallError` for other failures.
package struct EventClient: Sendable {
    package struct Received: Equatable, Sendable {
        /// The position in the stream after this event.
        package let cursor: Cursor
        /// The event as one JSON object, byte for byte as the daemon sent it.
        package let line: [UInt8]
    }

    package let socket: String
    private let client: APIClient

    package init(socket: String) {
        self.socket = socket
        // The host name is never looked up, because all connections go to the socket.
        client = APIClient(
            baseURL: "http://localhost",
            transport: AsyncHTTPClientTransport(
                socket: socket, limits: TransportLimits(silence: .seconds(60))))
    }

    /// Reads events until the daemon ends the stream or the task is cancelled.
    ///
    /// - Throws: ``ConsumerDisplaced``, any error thrown by `take`, and errors from the connection to the daemon.
    package func read(
        from start: StreamStart, _ filter: EventFilter, _ take: (Received) async throws -> Void
    ) async throws {
        let stream: ResponseStream
        do {
            stream = try await client.stream(
                Call<Void>(
                    "/v1/events", queries: start.queries + filter.queries,
                    headers: [.accept: "text/event-stream"]))
        } catch {
            throw cause(of: error)
        }
        var reader = ServerSentEventReader()
        do {
            for try await piece in stream.body {
                for message in try reader.take(piece) {
                    try ConsumerDisplaced.check(message.data)
                    guard let cursor = message.id.flatMap({ Cursor($0) }) else { continue }
                    try await take(Received(cursor: cursor, line: message.data))
                }
            }
        } catch let error as ConnectionError {
            throw reason(of: error)
        }
    }

    /// Sets a consumer's cursor; nil means just before the oldest event.
    ///
    /// - Returns: The new cursor; the daemon has already written it to disk.
    @discardableResult package func move(
        _ consumer: String, to cursor: Cursor?
    ) async throws -> Cursor {
        try await move(Self.path(of: consumer), cursor?.description ?? "oldest")
    }

    package func knows(_ consumer: String) async throws -> Bool {
        do {
            try await send(Call<Void>(Self.path(of: consumer)))
            return true
        } catch let error as EventClientError where error.status == .notFound {
            return false
        }
    }

    package func forget(_ consumer: String) async throws {
        try await send(Call<Void>(Self.path(of: consumer), .delete))
    }

    /// Makes a sink resume after the event at a cursor; returns when the cursor is on disk.
    package func moveSink(_ name: String, to cursor: Cursor) async throws {
        _ = try await move("/v1/sinks/\(name)", "\(cursor)")
    }

    /// Requests the daemon's status; `hasCodes` adds the text of each scanner's last scan.
    package func status(hasCodes: Bool) async throws -> Response {
        try await send(
            Call("/v1/status", queries: [hasCodes ? Query("codes", true) : nil], parser: .response))
    }

    package func reload() async throws -> [ReloadedPart] {
        try await send(
            Call<[ReloadedPart]>(
                "/v1/reload", .post(Payload([], contentType: "application/json")), at: ["changes"]))
    }

    private static func path(of consumer: String) -> Path { "/v1/consumers/\(consumer)" }

    private func move(_ path: Path, _ cursor: String) async throws -> Cursor {
        try await send(Call<Cursor>(path, .put(.json(["cursor": .string(cursor)])), at: ["cursor"]))
    }

    private func send<Model>(_ call: Call<Model>) async throws -> Model {
        do {
            return try await client.send(call)
        } catch {
            throw cause(of: error)
        }
    }

    private func cause(of error: CallError) -> any Error {
        if let response = error.response, !response.isSuccess { return EventClientError(response) }
        return error.connectionError.map(reason) ?? error
    }

    private func reason(of error: ConnectionError) -> any Error {
        error.kind == .cancelled ? CancellationError() : DaemonUnreachable(error, at: socket)
    }
}

/// The error thrown when a stream has ended because another client now reads as the same consumer.
package struct ConsumerDisplaced: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// Throws if a line of the stream is a `displaced` event.
    fileprivate static func check(_ line: [UInt8]) throws(Self) {
        // Most lines are other events; they are not parsed.
        guard line.firstRange(of: EventType.displaced.rawValue.utf8) != nil,
            let event = Event(line: line), event.type == .displaced
        else { return }
        let consumer = (event.data["consumer"]?.string ?? "").quoted(upTo: .max)
        throw Self(description: "another listener reads as \(consumer) now; this one ends")
    }
}

package struct EventClientError: Error, Equatable, CustomStringConvertible {
    package let description: String
    let status: HTTPResponse.Status
    /// Whether a retry may succeed; false if the daemon will refuse the request again.
    package let isTransient: Bool
    package let problems: [String]

    init(_ response: Response) {
        let problem = try? JSONReader.read(response.payload).object
        let detail = problem?["detail"]?.string
        status = response.status
        description =
            "The daemon refuses: \(response.status.code)"
            + (detail.map { ", \(Escaping.sentence.escaped($0))" } ?? "")
        isTransient = response.status.kind == .serverError
        problems = problem?["problems"]?.array?.compactMap(\.string) ?? []
    }
}

extension StreamStart {
    fileprivate var queries: [Query?] {
        switch self {
        case .now: []
        case .oldest: [Query("after", "oldest")]
        case .after(let cursor): [Query("after", "\(cursor)")]
        case .consumer(let name, _): [Query("consumer", name)]
        }
    }
}

extension EventFilter {
    fileprivate var queries: [Query?] {
        [("types", Set(types.map(\.rawValue))), ("scanners", scanners), ("kinds", kinds)].map {
            Query($0, $1.isEmpty ? nil : $1.sorted().joined(separator: ","))
        }
    }
}

extension Cursor: Decodable {
    package init(from decoder: any Decoder) throws {
        guard let cursor = Cursor(try decoder.singleValueContainer().decode(String.self)) else {
            throw TransformError.unexpectedValue(in: decoder, expected: "a cursor")
        }
        self = cursor
    }
}

/// A reader that assembles server-sent events from the chunks of a stream.
///
/// Rule: WHATWG HTML, section 9.2.6.
struct ServerSentEventReader {
    struct Message: Equatable {
        /// The last ID received, either with this event or before it; nil if none has been received.
        var id: String?
        var data: [UInt8]
    }

    /// The error thrown for an event larger than 1 MiB.
    struct TooLarge: Error, Equatable, CustomStringConvertible {
        let description = "An event of the stream has more than 1 MiB."
    }

    private static let limit = 1 << 20
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var id: String?

    /// Reads a chunk of the stream, and returns the events that end in it.
    mutating func take(_ piece: some Sequence<UInt8>) throws(TooLarge) -> [Message] {
        var messages: [Message] = []
        for byte in piece {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let message = endLine() { messages.append(message) }
        }
        guard line.count + (data?.count ?? 0) <= Self.limit else { throw TooLarge() }
        return messages
    }

    private mutating func endLine() -> Message? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            return data.take().map { Message(id: id, data: $0) }
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if name.elementsEqual("data".utf8) {
            data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        } else if name.elementsEqual("id".utf8), !value.contains(0) {
            id = String(decoding: value, as: UTF8.self)
        }
        return nil
    }
}
