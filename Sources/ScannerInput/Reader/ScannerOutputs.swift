package import Keystrokes
internal import Synchronization
package import WireText

package enum ReaderOutput: Sendable {
    /// A scanner was claimed; its outputs end when it is disconnected.
    case scanner(name: String, ScannerOutputs)
    case notice(ReaderNotice)
}

/// A scan, a rejection or another message from one scanner.
///
/// The enum is indirect, because its values are moved more often than read.
package indirect enum ScannerOutput: Hashable, Sendable {
    /// The scanner is claimed, and its next scan is certain to be complete.
    case connected(AttachedScanner, nodes: [String])
    case scan(AttachedScanner, Scan)
    /// Keys that did not form a scan.
    case rejected(AttachedScanner, Rejection)
    /// Scans or rejections were dropped because the consumer read too slowly.
    case lost(count: Int)
    case disconnected(AttachedScanner, DisconnectReason)
}

package enum DisconnectReason: Hashable, Sendable {
    /// The scanner was unplugged, or went to sleep.
    case unplugged
    case failed(SystemCallError)
    case stopped
    /// A new configuration changes the scanner, or no longer includes it.
    case reconfigured
}

extension DisconnectReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unplugged: "unplugged"
        case .failed(let error): "\(error)"
        case .stopped: "stopped"
        case .reconfigured: "reconfigured"
        }
    }
}

/// A bounded queue of one scanner's outputs, between the reader's thread and a single consumer.
///
/// The sequence ends when the scanner is gone and all outputs have been read.
package final class ScannerOutputs: AsyncSequence, Sendable {
    package typealias Element = ScannerOutput
    package typealias Failure = Never

    private let state: Mutex<State>

    /// Creates a queue; `capacity` limits the scans and rejections, but no other outputs.
    package init(capacity: Int) {
        state = Mutex(State(capacity: Swift.max(capacity, 1)))
    }

    package func enqueue(_ output: ScannerOutput) {
        resume { $0.append(output) }
    }

    /// Ends the sequence after the outputs that are already in the queue.
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

        /// Returns the next output, or nil at the end.
        ///
        /// If the task is cancelled, the queue accepts no more outputs, and ends after those already in it.
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
        /// The number of scans and rejections in ``outputs``.
        var scanCount = 0
        /// The number of scans and rejections that were dropped after the last of ``outputs``.
        var lostCount = 0
        var consumer: CheckedContinuation<ScannerOutput?, Never>?
        var isFinished = false

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

        /// Removes and returns the waiting consumer and its next output; the output is nil if the sequence has ended.
        ///
        /// Both are nil if no consumer waits, or if there is nothing to give to it yet.
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
