import AsyncHTTPClient
public import HTTPTypes
import NIOCore

/// A response whose content can be read as it arrives; the content may be endless.
public struct ResponseStream: Sendable {
    /// The status code and reason phrase.
    public let status: HTTPResponse.Status
    /// The header fields, in the order in which the server sent them.
    public let headers: HTTPFields
    /// The content, in pieces as they arrive.
    ///
    /// The content is read only as fast as you request pieces. You can iterate over it only once.
    public let body: Body

    /// Creates a stream from a complete response, with the content as one piece.
    public init(_ response: Response) {
        status = response.status
        headers = response.headers
        body = Body {
            var rest: [UInt8]? = response.payload.isEmpty ? nil : response.payload
            return { .success(rest.take()) }
        }
    }

    /// Creates a stream that keeps its transport alive until the content ends.
    init(
        _ response: HTTPClientResponse, of transport: AsyncHTTPClientTransport,
        _ failure: TransportFailure
    ) {
        status = HTTPResponse.Status(response.status)
        headers = HTTPFields(response.headers)
        body = Body {
            var pieces = response.body.makeAsyncIterator()
            return {
                defer { withExtendedLifetime(transport) {} }
                do {
                    return .success(try await pieces.next().map { Array($0.readableBytesView) })
                } catch {
                    return .failure(failure.connectionError(for: error, unsure: .body))
                }
            }
        }
    }

    /// The content of a response, in pieces as they arrive.
    public struct Body: AsyncSequence, Sendable {
        typealias Next = () async -> Result<[UInt8]?, ConnectionError>

        let begin: @Sendable () -> Next

        /// Returns an iterator that reads the content; call this only once.
        public func makeAsyncIterator() -> Iterator { Iterator(read: begin()) }

        /// An iterator over the pieces of the content.
        public struct Iterator: AsyncIteratorProtocol {
            let read: Next

            /// Returns the next piece of the content; nil after the last one.
            public mutating func next() async throws(ConnectionError) -> [UInt8]? {
                try await read().get()
            }
        }
    }

    /// Reads the whole content and returns the complete response.
    ///
    /// - Throws: ``ConnectionError`` if reading fails or the content is larger than `limit` bytes.
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
