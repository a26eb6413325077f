import HTTPTypes

/// How far a request got, and what came of the response so far.
struct ResponseProgress: Sendable {
    /// The phase; `nil` until the request's head was written.
    private(set) var phase: ConnectionError.Phase?

    private let limit: Int
    private let isHead: Bool
    private var status: HTTPResponse.Status?
    private var headers: HTTPFields = [:]
    private var payload: [UInt8] = []

    /// Starts before the connection.
    ///
    /// - Parameters:
    ///   - limit: How large the content may be, in bytes.
    ///   - isHead: Whether the request is a `HEAD`, whose response announces a content it lacks.
    init(limit: Int, isHead: Bool) {
        self.limit = limit
        self.isHead = isHead
    }

    /// The response as far as it came; `nil` before its head.
    var response: Response? {
        status.map { Response(status: $0, headers: headers, payload: payload) }
    }

    /// The request's head was written.
    mutating func sentHead() {
        if phase == nil { phase = .write }
    }

    /// The whole request was written; a response may have begun before.
    mutating func sentAll() {
        if phase == nil || phase == .write { phase = .head }
    }

    /// The response's head came; says whether the content it announces is small enough.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - announced: How many bytes of content there will be, where the header tells.
    /// - Returns: Whether it is worth reading on.
    mutating func received(
        status: HTTPResponse.Status, headers: HTTPFields, announced: Int?
    ) -> Bool {
        phase = .body
        self.status = status
        self.headers = headers
        guard !isHead, let announced else { return true }
        guard announced <= limit else { return false }
        // What is announced and never sent shall not take memory.
        payload.reserveCapacity(min(announced, 1 << 16))
        return true
    }

    /// A part of the content came; says whether all of it is still small enough.
    mutating func received(_ bytes: some Collection<UInt8>) -> Bool {
        guard payload.count + bytes.count <= limit else { return false }
        payload.append(contentsOf: bytes)
        return true
    }
}
