/// Joins lookups for the same code, so that one request answers them all.
struct FlightBoard<Key: Hashable & Sendable, Passenger: Sendable>: Sendable {
    /// What a lookup is to do.
    enum Action: Equatable, Sendable {
        /// Send the request; it has this number.
        case depart(flight: Int)
        /// Wait for the request that is under way, which ends by this time.
        case wait(until: Moment)
    }

    private struct Flight {
        let number: Int
        let deadline: Moment
        var passengers: [Int: Passenger] = [:]
    }

    private var flights: [Key: Flight] = [:]
    private var departures = 0

    /// How many requests are under way.
    var count: Int { flights.count }

    /// Lets a lookup join the request for its key, or start it.
    ///
    /// - Parameters:
    ///   - key: What is asked for.
    ///   - passenger: Who waits for the answer, with a number of its own; nil where nobody does.
    ///   - deadline: When the request ends, where this starts it.
    /// - Returns: Whether to send the request or to wait for it.
    mutating func board(
        _ key: Key, _ passenger: (number: Int, Passenger)?, deadline: Moment
    ) -> Action {
        if let flight = flights[key] {
            if let passenger { flights[key]?.passengers[passenger.number] = passenger.1 }
            return .wait(until: flight.deadline)
        }
        departures += 1
        var flight = Flight(number: departures, deadline: deadline)
        if let passenger { flight.passengers[passenger.number] = passenger.1 }
        flights[key] = flight
        return .depart(flight: departures)
    }

    /// Takes out a lookup that does not wait any longer.
    ///
    /// - Returns: Who waited; nil where the answer was there first.
    mutating func leave(_ key: Key, _ number: Int) -> Passenger? {
        flights[key]?.passengers.removeValue(forKey: number)
    }

    /// Ends a request.
    ///
    /// - Returns: Who waits for its answer, in the order they came; nobody where the request was
    ///   ended before.
    mutating func land(_ key: Key, flight number: Int) -> [Passenger] {
        guard let flight = flights[key], flight.number == number else { return [] }
        flights[key] = nil
        return flight.passengers.sorted { $0.key < $1.key }.map(\.value)
    }
}
