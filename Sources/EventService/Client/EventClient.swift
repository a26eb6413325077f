package import Events
package import Journal
import WebAPI
import WireText

/// A client of a daemon's interface, over its unix socket.
package struct EventClient: Sendable {
    /// Where a stream begins.
    package enum Start: Equatable, Sendable {
        /// With the next event.
        case now
        /// With the oldest event there is.
        case oldest
        /// Behind an event.
        case after(Cursor)
        /// Where a consumer stopped.
        case consumer(String)
    }

    /// An event of a stream.
    package struct Received: Equatable, Sendable {
        /// How far the stream is with it.
        package let cursor: Cursor
        /// The event as one JSON object, the daemon's bytes.
        package let line: [UInt8]
    }

    /// The path of the daemon's socket.
    package let socket: String
    private let client: APIClient

    /// Makes a client.
    ///
    /// - Parameter socket: The path of the daemon's socket.
    package init(socket: String) {
        self.socket = socket
        // Nobody looks the host's name up.
        client = APIClient(
            baseURL: "http://localhost",
            transport: AsyncHTTPClientTransport(
                socket: socket, limits: TransportLimits(silence: .seconds(60))))
    }

    /// Reads events until the daemon ends the stream or the task is cancelled.
    ///
    /// - Parameters:
    ///   - start: Where it begins.
    ///   - filter: Which events are wanted.
    ///   - take: Takes an event, after all earlier ones; the next is read when it returns.
    /// - Throws: ``EventClientError`` where the daemon refuses; ``ConsumerDisplaced``; `ConnectionError`;
    ///   what `take` throws.
    package func read(
        from start: Start, _ filter: EventFilter, _ take: (Received) async throws -> Void
    ) async throws {
        let stream: ResponseStream
        do {
            stream = try await client.stream(EventsEndpoint(start: start, filter: filter))
        } catch {
            throw Self.cause(of: error)
        }
        var reader = ServerSentEventReader()
        for try await piece in stream.body {
            for message in try reader.take(piece) {
                try ConsumerDisplaced.check(message.data)
                guard let cursor = message.id.flatMap({ Cursor($0) }) else { continue }
                try await take(Received(cursor: cursor, line: message.data))
            }
        }
    }

    /// Sets how far a consumer got; it is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - consumer: Its name.
    ///   - place: Behind which event it is.
    /// - Returns: The cursor that the journal has now.
    /// - Throws: ``EventClientError`` where the daemon refuses; `ConnectionError`; `CallError`.
    @discardableResult package func move(
        _ consumer: String, to place: ConsumerPlace
    ) async throws -> Cursor {
        try await move(MoveReader(path: "/v1/consumers/\(consumer)", place: place))
    }

    /// Whether the journal knows a consumer.
    package func knows(_ consumer: String) async throws -> Bool {
        do {
            try await send(FindConsumer(consumer: consumer))
            return true
        } catch let error as EventClientError where error.status == .notFound {
            return false
        }
    }

    /// Removes a consumer.
    ///
    /// - Throws: ``EventClientError`` where the daemon refuses; `ConnectionError`; `CallError`.
    package func forget(_ consumer: String) async throws {
        try await send(ForgetConsumer(consumer: consumer))
    }

    /// Has a sink go on behind an event; its cursor is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - cursor: Behind which event it is to go on.
    /// - Throws: ``EventClientError`` where the daemon refuses; `ConnectionError`; `CallError`.
    package func moveSink(_ name: String, to cursor: Cursor) async throws {
        _ = try await move(MoveReader(path: "/v1/sinks/\(name)", place: .after(cursor)))
    }

    /// Asks how the daemon is doing.
    ///
    /// - Parameter hasCodes: Whether the texts of the last scans are wanted.
    /// - Returns: One JSON object, the daemon's bytes.
    /// - Throws: ``EventClientError`` where the daemon refuses; `ConnectionError`; `CallError`.
    package func status(hasCodes: Bool) async throws -> [UInt8] {
        try await send(StatusEndpoint(hasCodes: hasCodes))
    }

    /// Has the daemon take its configuration anew.
    ///
    /// - Returns: What is otherwise from now on.
    /// - Throws: ``EventClientError`` where it does not; `ConnectionError`; `CallError`.
    package func reload() async throws -> [ReloadedPart] {
        try await send(ReloadEndpoint()).changes
    }

    private func move(_ endpoint: MoveReader) async throws -> Cursor {
        try await send(endpoint).cursor
    }

    private func send<E: Endpoint>(_ endpoint: E) async throws -> E.Model {
        do {
            return try await client.send(endpoint)
        } catch {
            throw Self.cause(of: error)
        }
    }

    /// What the daemon says, or what is wrong with the connection.
    private static func cause(of error: CallError) -> any Error {
        if let response = error.response, !response.isSuccess { return EventClientError(response) }
        return error.connectionError ?? error
    }
}

/// A place in the journal.
package enum ConsumerPlace: Equatable, Sendable, CustomStringConvertible {
    /// Ahead of the oldest event there is.
    case oldest
    /// Behind an event.
    case after(Cursor)

    /// The text in a request.
    package var description: String {
        switch self {
        case .oldest: "oldest"
        case .after(let cursor): "\(cursor)"
        }
    }
}

/// Another reads as the consumer now, so this stream has ended.
package struct ConsumerDisplaced: Error, Equatable, CustomStringConvertible {
    package let description: String

    private init(_ consumer: String) {
        description = "another listener reads as \(consumer.quoted(upTo: .max)) now; this one ends"
    }

    /// Throws if a line of a stream says so.
    fileprivate static func check(_ line: [UInt8]) throws(Self) {
        // Other lines are not read as JSON: there are many.
        guard line.firstRange(of: EventType.displaced.rawValue.utf8) != nil,
            let event = Event(line: line), event.type == .displaced
        else { return }
        throw Self(event.data["consumer"]?.string ?? "")
    }
}

/// Why the daemon gives no stream.
package struct EventClientError: Error, Equatable, CustomStringConvertible {
    /// One sentence.
    package let description: String
    let status: HTTPResponse.Status
    /// Whether asking again may help.
    package let isTransient: Bool
    /// What is wrong, a line each, where the sentence does not say it.
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

/// `GET /v1/events`, as server-sent events.
private struct EventsEndpoint: Endpoint {
    let start: EventClient.Start
    let filter: EventFilter

    var call: Call<Void> {
        let first: Query? =
            switch start {
            case .now: nil
            case .oldest: Query("after", "oldest")
            case .after(let cursor): Query("after", "\(cursor)")
            case .consumer(let name): Query("consumer", name)
            }
        let lists = [
            ("types", filter.types.map(\.rawValue)), ("scanners", Array(filter.scanners)),
            ("kinds", Array(filter.kinds)),
        ]
        let filters = lists.map { name, values in
            Query(name, values.isEmpty ? nil : values.sorted().joined(separator: ","))
        }
        return Call(
            "/v1/events", queries: [first] + filters, headers: [.accept: "text/event-stream"])
    }
}

/// `GET /v1/status`.
private struct StatusEndpoint: Endpoint {
    let hasCodes: Bool

    var call: Call<[UInt8]> {
        Call("/v1/status", queries: [hasCodes ? Query("codes", true) : nil], parser: .bytes)
    }
}

/// `POST /v1/reload`.
private struct ReloadEndpoint: Endpoint {
    struct Answer: Decodable, Sendable {
        let changes: [ReloadedPart]
    }

    var call: Call<Answer> {
        Call("/v1/reload", .post(Payload([], contentType: "application/json")))
    }
}

/// `GET /v1/consumers/NAME`.
private struct FindConsumer: Endpoint {
    let consumer: String

    var call: Call<Void> { Call("/v1/consumers/\(consumer)") }
}

/// `DELETE /v1/consumers/NAME`.
private struct ForgetConsumer: Endpoint {
    let consumer: String

    var call: Call<Void> { Call("/v1/consumers/\(consumer)", .delete) }
}

/// `PUT /v1/consumers/NAME` and `PUT /v1/sinks/NAME`.
private struct MoveReader: Endpoint {
    struct Answer: Decodable, Sendable {
        let cursor: Cursor

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .cursor)
            guard let cursor = Cursor(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .cursor, in: container, debugDescription: "no cursor")
            }
            self.cursor = cursor
        }

        private enum CodingKeys: CodingKey { case cursor }
    }

    let path: Path
    let place: ConsumerPlace

    var call: Call<Answer> { Call(path, .put(.json(["cursor": .string("\(place)")]))) }
}
