import NIOCore

/// Runs tasks on the thread of an event loop, so that what happens on a connection and what is
/// decided about it are on one thread.
///
/// Swift's own pool would wake up each second; a loop sleeps until something comes.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
