import WireText

/// Whether another client connects under the same name, and each takes the other's place.
///
/// A broker ends a connection when another comes with its client identifier (MQTT 5.0, section 3.1.4; MQTT
/// 3.1.1, section 3.1.4). One of version 5 says so; with 3.1.1 there is no word for it, and what shows it is
/// that connections end soon, one after the other, with nothing on its way that could have been the reason.
struct MQTTRivalry: Equatable, Sendable {
    /// A connection that ended.
    struct End: Equatable, Sendable {
        /// Whether the broker said that another client took its place.
        var isTakeover: Bool
        /// How long it was there; nil where the broker never took it.
        var lived: Duration?
        /// Whether an acknowledgement was waited for.
        var wasBusy: Bool
    }

    /// An end sooner than this is one of those that show it.
    static let soon = Duration.seconds(10)
    /// How many such ends there must be, one after the other.
    static let fewest = 3
    /// A connection that lives so long has no rival any more: longer than two rivals wait for each other.
    static let calm = SinkBackoff.longest * 2

    /// Whether there seems to be a rival: then waits go on growing, or the two would change places each second.
    private(set) var isThere = false
    private var soonEnds = 0

    /// Notes that a connection ended.
    ///
    /// - Parameters:
    ///   - end: How.
    ///   - client: What the broker calls the client.
    /// - Returns: What to say of it; nil where nothing shows a rival.
    mutating func noted(_ end: End, client: String) -> String? {
        if end.isTakeover {
            isThere = true
            return "another client has connected as \(client.quoted(upTo: .max)) and taken this "
                + "one's place (session taken over, 0x8E); \(Self.remedy)"
        }
        guard let lived = end.lived else { return nil }
        if lived >= Self.calm { isThere = false }
        guard !end.wasBusy, lived < (isThere ? Self.calm : Self.soon) else {
            soonEnds = 0
            return nil
        }
        soonEnds += 1
        guard soonEnds >= Self.fewest else { return nil }
        isThere = true
        return "it ends each connection soon and without a reason, as a broker does where another "
            + "client connects as \(client.quoted(upTo: .max)); \(Self.remedy)"
    }

    private static let remedy = "no two may have the same host name or client_id"
}
