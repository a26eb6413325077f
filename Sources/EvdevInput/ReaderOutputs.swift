package import Keystrokes
package import WireText

/// What a reader hands over, as an asynchronous sequence for one consumer.
///
/// It ends when the reader has stopped and everything was taken out.
package struct ReaderOutputs: AsyncSequence, Sendable {
    /// What the sequence is made of.
    package typealias Element = ReaderOutput
    /// The sequence never fails.
    package typealias Failure = Never

    let queue: BoundedQueue

    /// Takes outputs out one after another.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let queue: BoundedQueue

        /// The next output, waiting for it.
        ///
        /// - Returns: The output; nil at the end, or when the task is cancelled.
        package mutating func next() async -> ReaderOutput? {
            await queue.next()
        }

        /// The next output, waiting for it.
        ///
        /// - Parameter actor: The actor it is called on.
        /// - Returns: The output; nil at the end, or when the task is cancelled.
        /// - Throws: Never.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> ReaderOutput? {
            await queue.next()
        }
    }

    /// Starts to take outputs out.
    ///
    /// - Returns: An iterator.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue)
    }
}

extension ReaderOutputs: Hashable {
    /// Says whether both are the same outputs of the same reader, whatever is in them.
    package static func == (left: ReaderOutputs, right: ReaderOutputs) -> Bool {
        left.queue === right.queue
    }

    /// Hashes which outputs they are.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(queue))
    }
}

/// What the reader hands over, in the order in which it happened: of all scanners together, or of
/// one.
///
/// Boxed, for it is moved more often than looked at.
package indirect enum ReaderOutput: Hashable, Sendable {
    /// A scanner is there for the first time: what comes of it, also when it is plugged in again.
    case scanner(ReaderOutputs)
    /// The scanner is grabbed and quiet: from here on its scans are read.
    case connected(AttachedScanner, nodes: [String])
    /// The scanner is no longer read.
    case disconnected(AttachedScanner, DisconnectReason)
    /// The scanner read a scan.
    case scan(AttachedScanner, Scan)
    /// Keys of the scanner came that are no scan.
    case rejected(AttachedScanner, Rejection)
    /// Something the log should say.
    case notice(ReaderNotice)
}

/// Why a scanner is no longer read.
package enum DisconnectReason: Hashable, Sendable {
    /// It was pulled out, or went to sleep.
    case unplugged
    /// Reading it failed otherwise.
    case failed(SystemCallError)
    /// The reader was stopped.
    case stopped
    /// It is another scanner by new settings, or none.
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
