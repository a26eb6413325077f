import Foundation
package import Testing

/// Runs each test of a suite on a thread of its own, so that the test can block, for example to wait for a process.
///
/// All other tests share one thread per core. On a machine with two cores, two blocked tests would stop all of them.
package struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadForEachJob.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTests {
    /// For suites whose tests wait without `await`.
    package static var blocking: Self { BlockingTests() }
}

private final class ThreadForEachJob: TaskExecutor {
    static let shared = ThreadForEachJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
