import Barcodes
import Catalog
import Synchronization
import WireText

extension DeclaredCatalog {
    /// Waits for the request for a code, which is sent unless it is under way.
    func join(
        _ texts: [String], _ barcode: Barcode, _ kept: CachedAnswer?, deadline: MonotonicTime
    ) async -> LookupAnswer {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(texts, barcode, kept, deadline, number, continuation)
            }
        } onCancel: {
            leave(texts, number, with: Self.givenUp)
        }
    }

    /// Asks for a code that nobody waits for, unless that is under way.
    func askAgain(_ texts: [String], _ barcode: Barcode, _ kept: CachedAnswer) {
        let deadline = context.clock.now() + context.declaration.resilience.backgroundLimit
        let action = state.withLock { $0.requests.join(CacheKey(texts), nil, deadline: deadline) }
        if case .send(let request) = action { send(texts, barcode, kept, deadline, request) }
    }

    private func wait(
        _ texts: [String], _ barcode: Barcode, _ kept: CachedAnswer?, _ deadline: MonotonicTime,
        _ number: Int, _ waiter: Waiter
    ) {
        let action = state.withLock { state -> RequestCoalescer<CacheKey, Waiter>.Action? in
            // Asked under the lock, so that whoever is cancelled later finds the waiter there.
            guard !Task.isCancelled else { return nil }
            return state.requests.join(CacheKey(texts), (number, waiter), deadline: deadline)
        }
        switch action {
        case nil: waiter.resume(returning: Self.givenUp)
        case .send(let request): send(texts, barcode, kept, deadline, request)
        case .wait(let end) where end > deadline:
            Task {
                guard (try? await context.clock.sleep(deadline)) != nil else { return }
                leave(texts, number, with: late(texts))
            }
        case .wait: break
        }
    }

    private func send(
        _ texts: [String], _ barcode: Barcode, _ kept: CachedAnswer?, _ deadline: MonotonicTime,
        _ request: Int
    ) {
        // The request ends by the deadline of itself: no wait is longer, and transports keep to
        // the time they are given.
        Task {
            let answer = await ask(texts, barcode, kept, deadline: deadline, observe: nil)
            finish(texts, request, with: answer)
            save(texts)
        }
    }

    private func finish(_ texts: [String], _ request: Int, with answer: LookupAnswer) {
        let waiters = state.withLock { $0.requests.finish(CacheKey(texts), request: request) }
        for waiter in waiters { waiter.resume(returning: answer) }
    }

    private func leave(_ texts: [String], _ number: Int, with answer: LookupAnswer) {
        state.withLock { $0.requests.leave(CacheKey(texts), number) }?.resume(returning: answer)
    }

    /// The answer for a lookup whose time is up while a request is under way.
    private func late(_ texts: [String]) -> LookupAnswer {
        let failure = LookupFailure(.timedOut, "The catalog \(name) did not answer in time.")
        let now = context.clock.now()
        if let kept = kept(texts), rules.mayServeStale(kept, for: failure, at: now) {
            return Self.answer(
                kept, origin: .stale(age: kept.age(at: now)), attempts: 1, originalFailure: failure)
        }
        return LookupAnswer(.failed(failure), attempts: 1)
    }

    private static let givenUp = LookupAnswer(
        .failed(LookupFailure(.cancelled, "The lookup was given up.")))
}
