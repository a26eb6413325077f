public import Keystrokes
public import WireText

/// What a reader hands over, as an asynchronous sequence for one consumer.
///
/// It ends when the reader has stopped and everything was taken out.
public struct ReaderOutputs: AsyncSequence, Sendable {
    /// What the sequence is made of.
    public typealias Element = ReaderOutput
    /// The sequence never fails.
    public typealias Failure = Never

    let handOver: HandOver

    /// Takes outputs out one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let handOver: HandOver

        /// The next output, waiting for it.
        ///
        /// - Returns: The output; nil at the end, or when the task is cancelled.
        public mutating func next() async -> ReaderOutput? {
            await handOver.next()
        }

        /// The next output, waiting for it.
        ///
        /// - Parameter actor: The actor it is called on.
        /// - Returns: The output; nil at the end, or when the task is cancelled.
        /// - Throws: Never.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> ReaderOutput? {
            await handOver.next()
        }
    }

    /// Starts to take outputs out.
    ///
    /// - Returns: An iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(handOver: handOver)
    }
}

extension ReaderOutputs: Hashable {
    /// Says whether both are the same outputs of the same reader, whatever is in them.
    public static func == (left: ReaderOutputs, right: ReaderOutputs) -> Bool {
        left.handOver === right.handOver
    }

    /// Hashes which outputs they are.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(handOver))
    }
}

/// What the reader hands over, in the order in which it happened: of all scanners together, or of
/// one.
///
/// Boxed, for it is moved more often than looked at.
public indirect enum ReaderOutput: Hashable, Sendable {
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
public enum DisconnectReason: Hashable, Sendable {
    /// It was pulled out, or went to sleep.
    case unplugged
    /// Reading it failed otherwise.
    case failed(SystemCallError)
    /// The reader was stopped.
    case stopped
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in a word or a clause.
    public var description: String {
        switch self {
        case .unplugged: "unplugged"
        case .failed(let error): "\(error)"
        case .stopped: "stopped"
        }
    }
}
