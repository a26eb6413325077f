/// Which connections there are, and which of them goes where there are too many.
///
/// A new connection always comes in. Where its peer, or all together, have as many as they may, one
/// of theirs goes: the oldest that has shown no token, else the one that has had nothing to do for
/// longest, else the one whose request was asked longest ago. So nobody without a token can keep a
/// register with one out.
struct ConnectionTable<ID: Hashable> {
    private struct Entry {
        let peer: Peer
        var isKnown = false
        var isBusy = false
        var order: Int

        /// Whether it goes before another.
        func goesBefore(_ other: Entry) -> Bool {
            (isKnown ? 1 : 0, isKnown && isBusy ? 1 : 0, order)
                < (other.isKnown ? 1 : 0, other.isKnown && other.isBusy ? 1 : 0, other.order)
        }
    }

    private let limits: ConnectionLimits
    private var entries: [ID: Entry] = [:]
    private var counts: [Peer: Int] = [:]
    private var order = 0

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// How many connections there are.
    var count: Int { entries.count }

    /// The connections on which nothing is asked.
    var resting: [ID] { entries.filter { !$0.value.isBusy }.map(\.key) }

    /// Takes a new connection in.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - peer: Who is at its other end.
    /// - Returns: A connection that goes for it, and is no longer in the table.
    mutating func admit(_ id: ID, from peer: Peer) -> ID? {
        let isCrowd = counts[peer, default: 0] >= limits.perPeer
        var leaving: ID?
        if isCrowd || entries.count >= limits.total {
            leaving =
                entries.lazy.filter { !isCrowd || $0.value.peer == peer }
                .min { $0.value.goesBefore($1.value) }?.key
        }
        if let leaving { remove(leaving) }
        entries[id] = Entry(peer: peer, order: next())
        counts[peer, default: 0] += 1
        return leaving
    }

    /// Notes that a request has come; `isKnown` where it shows the token.
    mutating func ask(_ id: ID, isKnown: Bool) {
        guard var entry = entries[id] else { return }
        if isKnown { entry.isKnown = true }
        entry.isBusy = true
        entry.order = entry.isKnown ? next() : entry.order
        entries[id] = entry
    }

    /// Notes that all requests were answered.
    mutating func rest(_ id: ID) {
        guard var entry = entries[id] else { return }
        entry.isBusy = false
        entry.order = entry.isKnown ? next() : entry.order
        entries[id] = entry
    }

    /// Takes a connection out; one that is not there any more does no harm.
    mutating func remove(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        let count = counts[entry.peer, default: 1] - 1
        counts[entry.peer] = count == 0 ? nil : count
    }

    private mutating func next() -> Int {
        order += 1
        return order
    }
}
