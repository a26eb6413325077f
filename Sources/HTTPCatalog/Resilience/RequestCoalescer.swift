/// Joins lookups for the same code, so that one request answers them all.
struct RequestCoalescer<Key: Hashable & Sendable, Waiter: Sendable>: Sendable {
    /// What a lookup is to do.
    enum Action: Equatable, Sendable {
        /// Send the request; it has this number.
        case send(request: Int)
        /// Wait for the request that is under way, which ends by this time.
        case wait(until: MonotonicTime)
    }

    private struct Request {
        let number: Int
        let deadline: MonotonicTime
        var waiters: [Int: Waiter] = [:]
    }

    private var requests: [Key: Request] = [:]
    private var sent = 0

    /// How many requests are under way.
    var count: Int { requests.count }

    /// Lets a lookup join the request for its key, or start it.
    ///
    /// - Parameters:
    ///   - key: What is asked for.
    ///   - waiter: Who waits for the answer, with a number of its own; nil where nobody does.
    ///   - deadline: When the request ends, where this starts it.
    /// - Returns: Whether to send the request or to wait for it.
    mutating func join(
        _ key: Key, _ waiter: (number: Int, Waiter)?, deadline: MonotonicTime
    ) -> Action {
        if let request = requests[key] {
            if let waiter { requests[key]?.waiters[waiter.number] = waiter.1 }
            return .wait(until: request.deadline)
        }
        sent += 1
        var request = Request(number: sent, deadline: deadline)
        if let waiter { request.waiters[waiter.number] = waiter.1 }
        requests[key] = request
        return .send(request: sent)
    }

    /// Takes out a lookup that does not wait any longer.
    ///
    /// - Returns: Who waited; nil where the answer was there first.
    mutating func leave(_ key: Key, _ number: Int) -> Waiter? {
        requests[key]?.waiters.removeValue(forKey: number)
    }

    /// Ends a request.
    ///
    /// - Returns: Who waits for its answer, in the order they came; nobody where the request was
    ///   ended before.
    mutating func finish(_ key: Key, request number: Int) -> [Waiter] {
        guard let request = requests[key], request.number == number else { return [] }
        requests[key] = nil
        return request.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}
