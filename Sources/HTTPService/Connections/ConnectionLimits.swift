/// How many connections there may be, and how long one may stay where nothing moves.
package struct ConnectionLimits: Equatable, Sendable {
    /// Connections at a time.
    package var total: Int
    /// Connections at a time from one peer.
    ///
    /// A register and its own helpers need a handful, and several may come through one router. Where a
    /// crowd opens 2,000 a second from a register's own address, this many give a request an eighth
    /// of a second to come before its connection goes.
    package var perPeer: Int
    /// How long a request may take to come, from the connection or from its head on, on a
    /// connection that has shown no token yet; and the content of a request on any.
    package var request: Duration
    /// How long an answer may be on its way without the client taking any of it.
    package var writing: Duration
    /// After how long without a request a connection is closed that has shown the token: longer
    /// than clients keep one open for their next request, so that they do not send it into a
    /// closing one.
    package var idle: Duration
    /// How many bytes the content of a request may have.
    package var bodySize = 64 << 10

    /// Makes limits; those of a service that other boxes reach where nothing else is said.
    ///
    /// - Parameters:
    ///   - total: Connections at a time.
    ///   - perPeer: Connections at a time from one peer.
    ///   - request: How long a request may take to come.
    ///   - writing: How long a client may take none of an answer.
    ///   - idle: How long a connection may be without a request.
    package init(
        total: Int = 512, perPeer: Int = 256, request: Duration = .seconds(5),
        writing: Duration = .seconds(10), idle: Duration = .seconds(90)
    ) {
        self.total = total
        self.perPeer = perPeer
        self.request = request
        self.writing = writing
        self.idle = idle
    }
}
