import Synchronization

/// Collects steps from whatever task they come.
final class StepList: Sendable {
    private let steps = Mutex<[LookupStep]>([])

    /// All so far, in order.
    var all: [LookupStep] { steps.withLock { $0 } }

    /// Adds one.
    func add(_ step: LookupStep) { steps.withLock { $0.append(step) } }
}
