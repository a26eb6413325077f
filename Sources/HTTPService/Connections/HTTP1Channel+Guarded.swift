package import HummingbirdCore

extension HTTP1Channel.Configuration {
    /// Bytes of the header of a request.
    private static let headerSize = 64 << 10

    /// Connections that are bounded in all that a client can make large or long.
    ///
    /// - Parameters:
    ///   - limits: How long nothing may move on one.
    ///   - connections: All connections.
    ///   - knows: Whether the value of an `Authorization` header, or that there is none, tells a client
    ///     of the service.
    /// - Returns: The configuration of a connection.
    package static func guarded(
        limits: ConnectionLimits, connections: Connections,
        knows: @escaping @Sendable (_ authorization: String?) -> Bool
    ) -> Self {
        var decoding = DecoderConfiguration()
        decoding.maxHeaderFieldSize = headerSize
        decoding.maxHeaderListSize = headerSize
        decoding.maxHeaderFieldCount = 100
        return Self(
            additionalChannelHandlers: [
                ConnectionGuard(limits: limits, connections: connections, knows: knows)
            ], httpDecoderConfiguration: decoding)
    }
}
