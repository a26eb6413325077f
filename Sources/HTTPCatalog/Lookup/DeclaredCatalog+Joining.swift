import Barcodes
import Catalog
import Synchronization
import WireText

extension DeclaredCatalog {
    /// Waits for the request for a code, which is sent unless it is under way.
    func join(_ texts: [String], _ barcode: Barcode, deadline: Moment) async -> LookupAnswer {
        let number = state.withLock { state in
            state.passengers += 1
            return state.passengers
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                board(texts, barcode, deadline, number, continuation)
            }
        } onCancel: {
            leave(texts, number, with: Self.givenUp)
        }
    }

    /// Asks for a code that nobody waits for, unless that is under way.
    func askAgain(_ texts: [String], _ barcode: Barcode) {
        let deadline = line.clock.now() + line.declaration.resilience.backgroundLimit
        let action = state.withLock { $0.flights.board(AskedTexts(texts), nil, deadline: deadline) }
        if case .depart(let flight) = action { depart(texts, barcode, deadline, flight) }
    }

    private func board(
        _ texts: [String], _ barcode: Barcode, _ deadline: Moment, _ number: Int,
        _ passenger: Passenger
    ) {
        let action = state.withLock { state -> FlightBoard<AskedTexts, Passenger>.Action? in
            // Asked under the lock, so that whoever is cancelled later finds the passenger on board.
            guard !Task.isCancelled else { return nil }
            return state.flights.board(AskedTexts(texts), (number, passenger), deadline: deadline)
        }
        switch action {
        case nil: passenger.resume(returning: Self.givenUp)
        case .depart(let flight): depart(texts, barcode, deadline, flight)
        case .wait(let end) where end > deadline:
            Task {
                guard (try? await line.clock.sleep(deadline)) != nil else { return }
                leave(texts, number, with: late(texts))
            }
        case .wait: break
        }
    }

    private func depart(
        _ texts: [String], _ barcode: Barcode, _ deadline: Moment, _ flight: Int
    ) {
        // The request ends by the deadline of itself: no wait is longer, and transports keep to
        // the time they are given.
        Task {
            let answer = await ask(texts, barcode, deadline: deadline, observe: nil)
            land(texts, flight, with: answer)
            save(texts)
        }
    }

    private func land(_ texts: [String], _ flight: Int, with answer: LookupAnswer) {
        let passengers = state.withLock { $0.flights.land(AskedTexts(texts), flight: flight) }
        for passenger in passengers { passenger.resume(returning: answer) }
    }

    private func leave(_ texts: [String], _ number: Int, with answer: LookupAnswer) {
        state.withLock { $0.flights.leave(AskedTexts(texts), number) }?.resume(returning: answer)
    }

    /// The answer for a lookup whose time is up while a request is under way.
    private func late(_ texts: [String]) -> LookupAnswer {
        let failure = LookupFailure(.timedOut, "The catalog \(name) did not answer in time.")
        let now = line.clock.now()
        if let kept = kept(texts), rules.standsIn(kept, for: failure, at: now) {
            return Self.answer(
                kept, origin: .stale(age: kept.age(at: now)), attempts: 1, setback: failure)
        }
        return LookupAnswer(.failed(failure), attempts: 1)
    }

    private static let givenUp = LookupAnswer(
        .failed(LookupFailure(.cancelled, "The lookup was given up.")))
}
