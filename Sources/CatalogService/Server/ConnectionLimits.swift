/// How many connections there may be, and how long one may stay where nothing moves.
struct ConnectionLimits: Equatable, Sendable {
    /// Connections at a time.
    var total = 512
    /// Connections at a time from one peer.
    ///
    /// A register and its own helpers need a handful, and several may come through one router. Where a
    /// crowd opens 2,000 a second from a register's own address, this many give a request an eighth
    /// of a second to come before its connection goes.
    var perPeer = 256
    /// How long a request may take to come, from the connection or from its head on, on a
    /// connection that has shown no token yet; and the content of a request on any.
    var request = Duration.seconds(5)
    /// How long an answer may be on its way without the client taking any of it.
    var writing = Duration.seconds(10)
    /// After how long without a request a connection is closed that has shown the token: longer
    /// than clients keep one open for their next request, so that they do not send it into a
    /// closing one.
    var stillness = Duration.seconds(90)
}
