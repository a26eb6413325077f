import Catalog
import HTTPService
import HTTPTypes
import NIOCore
import Synchronization

/// Answers to lookups that were given in the present state of the catalog, ready to be given again.
///
/// An import, a removal, or another file at the catalog's path is another state, and forgets all of
/// them: the next request is answered anew. Where there are too many, all are forgotten, too; codes that
/// are asked often are soon back.
final class ReadyAnswers: Sendable {
    /// Everything that an answer depends on but the catalog.
    struct Key: Hashable, Sendable {
        /// Path and query, as they are encoded.
        let target: String
        let permission: Permission
    }

    /// An answer as it is sent.
    struct Ready: Sendable {
        let fields: HTTPFields
        let body: ByteBuffer
    }

    private struct Held {
        var state: CatalogState?
        var answers: [Key: Ready] = [:]
        var size = 0
    }

    private let held = Mutex(Held())
    private let limit: Int

    /// Holds nothing yet.
    ///
    /// - Parameter limit: How many bytes the answers may have together, with what they are found by.
    init(limit: Int = ServiceLimits.readyBytes) {
        self.limit = limit
    }

    /// The answer that is ready.
    ///
    /// - Parameters:
    ///   - key: What is asked.
    ///   - state: The present state of the catalog.
    /// - Returns: The answer; nil where there is none.
    func answer(to key: Key, in state: CatalogState) -> Ready? {
        held.withLock { $0.state == state ? $0.answers[key] : nil }
    }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - key: What was asked.
    ///   - state: The state of the catalog before it was read; what has come since may be in the answer,
    ///     and is another state then.
    func keep(_ answer: Answer, to key: Key, in state: CatalogState) {
        guard answer.status == .ok, let body = answer.body else { return }
        let ready = Ready(fields: answer.head.headerFields, body: ByteBuffer(bytes: body))
        let size = body.count + 2 * key.target.utf8.count + ServiceLimits.readyOverhead
        held.withLock { held in
            if held.state != state || held.size + size > limit {
                held = Held(state: state)
            }
            guard size <= limit, held.answers.updateValue(ready, forKey: key) == nil else { return }
            held.size += size
        }
    }
}
