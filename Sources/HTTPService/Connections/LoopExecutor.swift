package import NIOCore

/// Runs tasks on the thread of an event loop, so that what happens on a connection and what is
/// decided about it are on one thread.
///
/// Swift's own pool would wake up each second, and handing a request over to it and back costs more than
/// answering it; a loop sleeps until something comes.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// Makes an executor.
    ///
    /// - Parameter loop: The event loop.
    package init(_ loop: any EventLoop) {
        self.loop = loop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
