internal import Dispatch

/// Runs an actor on a queue of its own, for work that blocks a thread.
///
/// The threads of Swift's own pool are as few as the machine's cores, and none of them may wait.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes an executor with a queue of its own.
    ///
    /// - Parameter label: The queue's name, for debuggers.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a job when those before it are done.
    ///
    /// - Parameter job: The job.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
