import Dispatch
import Synchronization
import WireText

/// Looks at one subject.
package protocol DoctorCheck: Sendable {
    /// What it looks at.
    var subject: DoctorReport.Subject { get }

    /// Looks, and changes nothing.
    ///
    /// - Returns: What it found, at least one thing.
    func findings() async -> [DoctorReport.Finding]
}

extension DoctorCheck {
    /// Something that this check found.
    func finding(
        _ verdict: DoctorReport.Verdict, _ text: String, _ details: [String] = [],
        mend remedies: [Remedy] = []
    ) -> DoctorReport.Finding {
        DoctorReport.Finding(
            subject: subject, verdict: verdict, text: text, details: details, remedies: remedies)
    }
}

/// Tries everything in order; what hangs is given up after a while.
package struct Doctor: Sendable {
    /// How long one subject may take: longer than the slowest service has to answer.
    package static let standardLimit = Duration.seconds(60)

    private let checks: [any DoctorCheck]
    private let limit: Duration

    /// Makes a doctor.
    ///
    /// - Parameters:
    ///   - checks: What is looked at, in this order.
    ///   - limit: How long each may take.
    package init(_ checks: [any DoctorCheck], limit: Duration = standardLimit) {
        self.checks = checks
        self.limit = limit
    }

    /// Runs work that may hang, and leaves it alone where it takes too long.
    ///
    /// - Returns: What it gave; nil where the time was up.
    package static func bounded<Result: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        await Bounded.run(within: limit, work)
    }

    /// Looks at everything.
    ///
    /// - Parameter tell: Is told of each finding as it is made.
    /// - Returns: All of them.
    /// - Throws: What `tell` throws.
    package func run(
        _ tell: (DoctorReport.Finding) throws -> Void = { _ in }
    ) async throws -> DoctorReport {
        var report = DoctorReport()
        for check in checks {
            let found = await Bounded.run(within: limit) { await check.findings() }
            let findings =
                found ?? [
                    check.finding(
                        .unseen, "given up after \(limit.text): something does not answer")
                ]
            try findings.forEach(tell)
            report.findings += findings
        }
        return report
    }
}

/// Work that may hang, as a disk that is gone does, and cannot be interrupted.
enum Bounded {
    /// Runs work, and leaves it alone where it takes too long.
    ///
    /// - Parameters:
    ///   - limit: How long it may take.
    ///   - work: The work.
    /// - Returns: What it gave; nil where the time was up.
    static func run<Result: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            let first = First(continuation)
            let worker = Task { first.give(await work()) }
            let time = DispatchTime.now() + .milliseconds(Int(limit.wholeMilliseconds))
            DispatchQueue.global().asyncAfter(deadline: time) {
                // First, for work that ends when it is cancelled would give what it has.
                first.give(nil)
                worker.cancel()
            }
        }
    }

    /// Runs work that waits in the kernel, on a thread that nothing else needs.
    static func waiting<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// Resumes once, with whatever comes first.
    private final class First<Result: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Result?, Never>?>

        init(_ continuation: CheckedContinuation<Result?, Never>) {
            self.continuation = Mutex(continuation)
        }

        func give(_ result: Result?) {
            continuation.withLock { $0.take() }?.resume(returning: result)
        }
    }
}
