package import Keystrokes
internal import Synchronization
package import WireText

/// The outputs of the reader that concern all scanners.
package enum ReaderOutput: Sendable {
    /// A scanner was claimed: its name, and its outputs until it is gone. A scanner that returns is
    /// reported again.
    case scanner(name: String, ScannerOutputs)
    /// A notice for the log.
    case notice(ReaderNotice)
}

/// An output of one scanner.
///
/// Boxed, because it is moved more often than looked at.
package indirect enum ScannerOutput: Hashable, Sendable {
    /// The scanner is claimed and quiet: its scans are read from here on.
    case connected(AttachedScanner, nodes: [String])
    case scan(AttachedScanner, Scan)
    /// Keys that did not make a scan.
    case rejected(AttachedScanner, Rejection)
    /// Scans or rejections were dropped because the consumer did not read for too long.
    case lost(count: Int)
    /// The scanner is no longer read.
    case disconnected(AttachedScanner, DisconnectReason)
}

/// Why a scanner is no longer read.
package enum DisconnectReason: Hashable, Sendable {
    /// It was pulled out, or went to sleep.
    case unplugged
    /// Reading it failed for another reason.
    case failed(SystemCallError)
    /// The reader was stopped.
    case stopped
    /// A new configuration makes it another scanner, or no scanner.
    case reconfigured
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in a word or a clause.
    package var description: String {
        switch self {
        case .unplugged: "unplugged"
        case .failed(let error): "\(error)"
        case .stopped: "stopped"
        case .reconfigured: "reconfigured"
        }
    }
}

/// The bounded queue between the reader's thread and the one consumer of a scanner.
///
/// The sequence ends when the scanner is gone and all outputs were read.
package final class ScannerOutputs: AsyncSequence, Sendable {
    package typealias Element = ScannerOutput
    package typealias Failure = Never

    private let state: Mutex<State>

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: How many scans and rejections it holds. Other outputs are rare, and
    ///   are never dropped.
    package init(capacity: Int) {
        state = Mutex(State(capacity: Swift.max(capacity, 1)))
    }

    /// Appends an output and wakes the consumer.
    package func enqueue(_ output: ScannerOutput) {
        resume { $0.append(output) }
    }

    /// Ends the sequence after the outputs that are still in the queue.
    package func finish() {
        resume { $0.isFinished = true }
    }

    private func resume(after change: (inout State) -> Void) {
        let (consumer, output) = state.withLock { state in
            change(&state)
            return state.next()
        }
        consumer?.resume(returning: output)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: ScannerOutputs

        /// The next output; nil at the end.
        ///
        /// When the task is cancelled, the queue takes no more, and ends after what is in it.
        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> ScannerOutput? {
            await withTaskCancellationHandler { [queue] in
                await withCheckedContinuation { continuation in
                    queue.resume { $0.consumer = continuation }
                }
            } onCancel: { [queue] in
                queue.finish()
            }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: self) }

    private struct State: Sendable {
        let capacity: Int
        var outputs: [ScannerOutput] = []
        /// How many of ``outputs`` are scans and rejections.
        var scanCount = 0
        /// How many scans and rejections were dropped after the last of ``outputs``.
        var lostCount = 0
        var consumer: CheckedContinuation<ScannerOutput?, Never>?
        var isFinished = false

        init(capacity: Int) {
            self.capacity = capacity
        }

        mutating func append(_ output: ScannerOutput) {
            guard !isFinished else { return }
            if output.isScanOrRejection {
                guard scanCount < capacity else {
                    lostCount += 1
                    return
                }
                scanCount += 1
            }
            appendLoss()
            outputs.append(output)
        }

        /// The consumer to resume and its next output; nil if there is nothing to do.
        mutating func next() -> (CheckedContinuation<ScannerOutput?, Never>?, ScannerOutput?) {
            guard consumer != nil else { return (nil, nil) }
            if outputs.isEmpty { appendLoss() }
            guard let first = outputs.first else {
                return (isFinished ? consumer.take() : nil, nil)
            }
            outputs.removeFirst()
            if first.isScanOrRejection { scanCount -= 1 }
            return (consumer.take(), first)
        }

        private mutating func appendLoss() {
            guard lostCount > 0 else { return }
            outputs.append(.lost(count: lostCount))
            lostCount = 0
        }
    }
}

extension ScannerOutput {
    fileprivate var isScanOrRejection: Bool {
        switch self {
        case .scan, .rejected: true
        case .connected, .disconnected, .lost: false
        }
    }
}
