internal import CLibevdev
internal import Glibc
package import Keystrokes
internal import Synchronization
package import WireText

/// A reader that finds and claims scanners, turns their keys into scans, and reacts to plugging and unplugging.
///
/// ```swift
/// let reader = try ScannerReader(ReaderConfiguration())
/// try reader.start()
/// for await output in reader.outputs {
///     guard case .scanner(_, let outputs) = output else { continue }
///     for await case .scan(let scanner, let scan) in outputs { print(scanner.name, scan.text) }
/// }
/// ```
///
/// It has two threads: the ``Finder``, which may block, and the ``ReaderLoop``, which only reads. When this process
/// ends, for whatever reason, the kernel releases its scanners, unless a ``Handover`` keeps their descriptors.
package final class ScannerReader: Sendable {
    /// The claimed scanners and the notices; only one task may read this sequence.
    ///
    /// Another task may read a scanner's own outputs.
    package let outputs: AsyncStream<ReaderOutput>

    private let configuration: ReaderConfiguration
    private let devices: any InputDevices
    private let queue: AsyncStream<ReaderOutput>.Continuation
    private let finder: Mailbox<Finder.Message>
    private let reader: Mailbox<ReaderLoop.Message>
    private let isStarted = Atomic(false)
    private let isStopped = Atomic(false)
    private let rests = Mutex<[String: ScanAssembler.Rest]>([:])

    package convenience init(_ configuration: ReaderConfiguration) throws(SystemCallError) {
        try self.init(configuration, devices: KernelDevices())
    }

    init(
        _ configuration: ReaderConfiguration, devices: any InputDevices
    ) throws(SystemCallError) {
        self.configuration = configuration
        self.devices = devices
        finder = try Mailbox()
        reader = try Mailbox()
        (outputs, queue) = AsyncStream.makeStream()
    }

    /// Starts the threads; further calls have no effect.
    ///
    /// - Throws: `SystemCallError` if the kernel cannot provide inotify, epoll or a thread.
    package func start() throws(SystemCallError) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Both are created before the threads start, so that a failure can be thrown.
        let reading = try ReaderLoop(
            configuration, inbox: reader, finder: finder, outputs: queue)
        let finding = try Finder(
            configuration, devices: devices, inbox: finder, reader: reader
        ) { [queue] in queue.yield(.notice($0)) }
        try Self.start("scanner-reader") {
            var reading = reading
            let rests = reading.run { self.isStopped.load(ordering: .acquiring) }
            self.rests.withLock { $0 = rests }
            self.queue.finish()
        }
        do throws(SystemCallError) {
            try Self.start("scanner-finder") {
                var finding = finding
                finding.run { self.isStopped.load(ordering: .acquiring) }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Starts a named thread that blocks all Unix signals.
    private static func start(
        _ name: String, _ body: sending @escaping () -> Void
    ) throws(SystemCallError) {
        try WaitingThread.start {
            clibevdev_name_this_thread(name)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            body()
        }
    }

    /// Applies the scanners and ``ReaderConfiguration/automatic``, and ignores the rest of `configuration`.
    ///
    /// A scanner with unchanged settings is read without interruption. One with new settings stays claimed (new serial
    /// settings reopen a port), but a scan in progress is rejected. A device that is no longer a scanner is released.
    package func reconfigure(_ configuration: ReaderConfiguration) {
        finder.post(.reconfigure(configuration))
    }

    /// Asks a scanner for a signal, such as a beep, and returns without waiting for it.
    package func give(_ signal: ScannerSignal, to scanner: String) {
        let limit = MonotonicClock.now().later(by: Self.signalTime)
        finder.post(.signal(signal, scanner: scanner, until: limit))
    }

    /// How long a ``ScannerSignal`` may be delayed before it is dropped, in microseconds.
    private static let signalTime: Int64 = 2_000_000

    /// The scanners' states, from which the next process can resume, keyed by ``Handover/Node/name``; available once
    /// ``outputs`` has ended.
    package var left: [String: ScanAssembler.Rest] { rests.withLock { $0 } }

    /// Stops reading; ``outputs`` and each scanner's outputs still deliver what is queued, and then end.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        reader.wake()
        finder.wake()
    }
}
