import Catalog
import Synchronization
import WireText

extension DeclaredCatalog {
    /// Waits for the request for a code, which is sent unless it is under way.
    func join(
        _ round: [CodeRules.Question], _ kept: CachedAnswer?, deadline: MonotonicTime
    ) async -> LookupAnswer {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(round, kept, deadline, number, continuation)
            }
        } onCancel: {
            leave(round.texts, number, with: Self.givenUp)
        }
    }

    /// Asks for a code that nobody waits for, unless that is under way.
    func askAgain(_ round: [CodeRules.Question], _ kept: CachedAnswer) {
        let deadline = context.clock.now() + context.declaration.resilience.backgroundLimit
        let key = CacheKey(round.texts)
        let action = state.withLock { $0.requests.join(key, nil, deadline: deadline) }
        if case .send(let request) = action { send(round, kept, deadline, request) }
    }

    private func wait(
        _ round: [CodeRules.Question], _ kept: CachedAnswer?, _ deadline: MonotonicTime,
        _ number: Int, _ waiter: Waiter
    ) {
        let texts = round.texts
        let action = state.withLock { state -> RequestCoalescer<CacheKey, Waiter>.Action? in
            // Asked under the lock, so that whoever is cancelled later finds the waiter there.
            guard !Task.isCancelled else { return nil }
            return state.requests.join(CacheKey(texts), (number, waiter), deadline: deadline)
        }
        switch action {
        case nil: waiter.resume(returning: Self.givenUp)
        case .send(let request): send(round, kept, deadline, request)
        case .wait(let end) where end > deadline:
            Task {
                guard (try? await context.clock.sleep(deadline)) != nil else { return }
                leave(texts, number, with: late(round))
            }
        case .wait: break
        }
    }

    private func send(
        _ round: [CodeRules.Question], _ kept: CachedAnswer?, _ deadline: MonotonicTime,
        _ request: Int
    ) {
        // The request ends by the deadline of itself: no wait is longer, and transports keep to
        // the time they are given.
        Task {
            let answer = await ask(round, kept, deadline: deadline, observe: nil)
            finish(round.texts, request, with: answer)
            // A failure changes nothing of what is kept.
            if answer.origin == .network { save(round.texts) }
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
    private func late(_ round: [CodeRules.Question]) -> LookupAnswer {
        let failure = LookupFailure(.timedOut, "The catalog \(name) did not answer in time.")
        return staleAnswer(round, for: failure, attempts: 1)
            ?? LookupAnswer(.failed(failure), attempts: 1)
    }

    private static let givenUp = LookupAnswer(
        .failed(LookupFailure(.cancelled, "The lookup was given up.")))
}
