import AsyncHTTPClient
public import HTTPTypes
import NIOCore

/// A response whose content is read as it comes, and may have no end.
public struct ResponseStream: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields, in order.
    public let headers: HTTPFields
    /// The content in pieces as they come.
    ///
    /// No more is read than is asked for, and it can be read once.
    public let body: Body

    /// Makes a stream of a response that is there already.
    public init(_ response: Response) {
        status = response.status
        headers = response.headers
        body = Body {
            var rest: [UInt8]? = response.payload.isEmpty ? nil : response.payload
            return { .success(rest.take()) }
        }
    }

    /// Takes a response of a client, which must not end before the content does.
    init(_ response: HTTPClientResponse, of client: LazyClient, _ failure: TransportFailure) {
        status = HTTPResponse.Status(response.status)
        headers = HTTPFields(response.headers)
        body = Body {
            var pieces = response.body.makeAsyncIterator()
            return {
                defer { withExtendedLifetime(client) {} }
                do {
                    return .success(try await pieces.next().map { Array($0.readableBytesView) })
                } catch {
                    return .failure(failure.connectionError(for: error, unsure: .body))
                }
            }
        }
    }

    /// The pieces of a content.
    public struct Body: AsyncSequence, Sendable {
        /// What is read next; nil after the end.
        typealias Next = () async -> Result<[UInt8]?, ConnectionError>

        let begin: @Sendable () -> Next

        /// Starts to read.
        public func makeAsyncIterator() -> Iterator { Iterator(read: begin()) }

        /// Reads piece by piece.
        public struct Iterator: AsyncIteratorProtocol {
            let read: Next

            /// The next piece; nil after the end.
            public mutating func next() async throws(ConnectionError) -> [UInt8]? {
                try await read().get()
            }
        }
    }

    /// The whole response, if its content has no more than so many bytes.
    ///
    /// - Throws: ``ConnectionError``, also for a larger content.
    public func response(limit: Int = 1 << 16) async throws(ConnectionError) -> Response {
        var payload: [UInt8] = []
        var pieces = body.makeAsyncIterator()
        while let piece = try await pieces.next() {
            payload += piece
            guard payload.count <= limit else {
                throw ConnectionError(.bodyTooLarge(limit: limit), during: .body)
            }
        }
        return Response(status: status, headers: headers, payload: payload)
    }
}
