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
