package import Keystrokes
internal import Synchronization
package import WireText

/// Reads scanners: finds and claims them, assembles their keys into scans, and follows them as they
/// are plugged in and unplugged.
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
/// Two threads do this: the ``Finder``, which may block, and the ``ReaderLoop``, which only reads.
/// A scanner stays claimed while a process has it open: unless a ``Handover`` keeps a copy of the
/// descriptor, the kernel releases the scanner however this process ends.
package final class ScannerReader: Sendable {
    /// The outputs, for a single consumer; each scanner's own outputs may have another one.
    package let outputs: AsyncStream<ReaderOutput>

    private let configuration: ReaderConfiguration
    private let devices: any InputDevices
    private let queue: AsyncStream<ReaderOutput>.Continuation
    private let finder: Mailbox<Finder.Message>
    private let reader: Mailbox<ReaderLoop.Message>
    private let isStarted = Atomic(false)
    private let isStopped = Atomic(false)
    private let rests = Mutex<[String: ScanAssembler.Rest]>([:])

    /// Makes a reader, which does nothing until it is started.
    ///
    /// - Throws: If the kernel cannot create an eventfd.
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
    /// - Throws: If the kernel cannot provide inotify, epoll or a thread.
    package func start() throws(SystemCallError) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Made here rather than on the threads, so that a failure can be thrown.
        let reading = try ReaderLoop(
            configuration, inbox: reader, finder: finder, outputs: queue)
        let finding = try Finder(
            configuration, devices: devices, inbox: finder, reader: reader
        ) { [queue] in queue.yield(.notice($0)) }
        try ReaderThread.start("scanner-reader") {
            var reading = reading
            let rests = reading.run { self.isStopped.load(ordering: .acquiring) }
            self.rests.withLock { $0 = rests }
            self.queue.finish()
        }
        do throws(SystemCallError) {
            try ReaderThread.start("scanner-finder") {
                var finding = finding
                finding.run { self.isStopped.load(ordering: .acquiring) }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Applies another configuration from now on.
    ///
    /// A scanner whose settings stay the same is read without interruption, even during a scan. One
    /// with new settings stays claimed and starts afresh: a scan in progress is torn. A device that
    /// is no longer a scanner is released. Heartbeat, queue size and places stay as they are.
    package func reconfigure(_ configuration: ReaderConfiguration) {
        finder.post(.reconfigure(configuration))
    }

    /// Makes a scanner give a signal, if it can.
    ///
    /// It returns at once, and scans succeed even if the signal fails.
    package func give(_ signal: ScannerSignal, to scanner: String) {
        let limit = MonotonicClock.now().later(by: Self.signalTime)
        finder.post(.signal(signal, scanner: scanner, until: limit))
    }

    /// How long after a scan its signal still makes sense, in microseconds.
    private static let signalTime: Int64 = 2_000_000

    /// The state in which scanners were left between two scans, by the name of their nodes in a
    /// ``Handover``; complete once ``outputs`` has ended.
    package var left: [String: ScanAssembler.Rest] { rests.withLock { $0 } }

    /// Stops reading, and gives up all scanners.
    ///
    /// ``outputs`` and each scanner's outputs end once everything in them has been read.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        reader.wake()
        finder.wake()
    }
}
