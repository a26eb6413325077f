internal import Glibc
package import Keystrokes
internal import Synchronization
package import WireText

/// Reads scanners: finds them, grabs them, puts their keys together to scans, follows every
/// unplugging and plugging in.
///
/// ```swift
/// let reader = ScannerReader(ReaderConfiguration())
/// try reader.start()
/// for await output in reader.outputs {
///     guard case .scanner(let outputs) = output else { continue }
///     for await case .scan(let scanner, let scan) in outputs { print(scanner.name, scan.text) }
/// }
/// ```
///
/// One thread does all of it and never waits but for events. A scanner stays grabbed only while
/// the thread holds it open: the kernel takes the grab back however the process ends.
package final class ScannerReader: Sendable {
    private let configuration: ReaderConfiguration
    private let queue: BoundedQueue
    private let isStopped = Atomic(false)
    private let wakeup = Mutex<Wakeup?>(nil)
    /// What it was told last to read.
    private let current: Mutex<ReaderConfiguration>
    /// What is to be read from now on, until the thread has taken it.
    private let replacement = Mutex<ReaderConfiguration?>(nil)

    /// How scanners were left to another process.
    private let rests = Mutex<[String: ScanAssembler.Rest]>([:])

    /// Makes a reader; it does nothing yet.
    ///
    /// - Parameter configuration: What to read.
    package init(_ configuration: ReaderConfiguration) {
        self.configuration = configuration
        current = Mutex(configuration)
        queue = BoundedQueue(capacity: configuration.queueCapacity)
    }

    /// What the reader hands over, for one consumer; of each scanner there is, for one more.
    package var outputs: ReaderOutputs { ReaderOutputs(queue: queue) }

    /// Starts the thread; a reader starts once.
    ///
    /// - Throws: Where the kernel has no inotify, epoll, eventfd or thread to give.
    package func start() throws(SystemCallError) {
        let wakeup = try Wakeup()
        let isFirst = self.wakeup.withLock { current in
            guard current == nil else { return false }
            current = wakeup
            return true
        }
        guard isFirst else { return }
        // Made here rather than on the thread, so that a failure has somebody to go to.
        let loop = try ReaderLoop(
            configuration: configuration, outputs: queue, wakeup: wakeup)
        try ReaderThread.start("scanner-reader") {
            var loop = loop
            loop.run {
                self.isStopped.load(ordering: .acquiring)
            } replacement: {
                // Whoever has the lock wakes the thread once more.
                self.replacement.withLockIfAvailable { $0.take() } ?? nil
            } left: { rests in
                self.rests.withLock { $0 = rests }
            }
        }
    }

    /// Reads by another configuration from now on, and says so of each scanner it changes.
    ///
    /// A scanner whose settings are the same goes on, in the middle of a scan too. One whose settings are
    /// others stays grabbed and begins anew: a scan in progress is torn. What is no scanner any more is let
    /// go. The heartbeat, the size of the queues and the places stay as they are.
    ///
    /// - Parameter configuration: What to read.
    package func reconfigure(_ configuration: ReaderConfiguration) {
        // The same settings in the same place: the thread need not compare them key by key.
        let shared = current.withLock { current in
            current = configuration.sharing(current)
            return current
        }
        replacement.withLock { $0 = shared }
        wakeup.withLock { $0?.wake() }
    }

    /// How scanners were left between two scans, by what their nodes are kept by: there once ``outputs`` has
    /// ended.
    package var left: [String: ScanAssembler.Rest] { rests.withLock { $0 } }

    /// Lets go of all scanners; ``outputs`` and those of the scanners end when everything in it was taken out.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeup.withLock { $0?.wake() }
    }
}
