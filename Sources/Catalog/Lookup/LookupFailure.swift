package import WireText

/// Why a source could not answer.
package struct LookupFailure: Error, Hashable, Sendable {
    /// The kind of failure, as events name it.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        /// There was no answer in time.
        case timedOut = "timed-out"
        /// The catalog's host has no address, or nobody takes the connection.
        case unreachable
        /// No secure connection could be made.
        case tls = "tls-failed"
        /// The connection broke before the answer was complete, or what came is no HTTP.
        case brokenConnection = "broken-connection"
        /// The catalog does not know us, or not for this: status 401 or 403.
        case unauthorized
        /// The catalog wants no requests for a while.
        case throttled
        /// The catalog says that it has failed: status 500 to 599.
        case serverError = "server-error"
        /// A status that no rule explains.
        case unexpectedStatus = "unexpected-status"
        /// The answer is not the JSON that was expected.
        case unreadableAnswer = "unreadable-answer"
        /// The answer is longer than allowed.
        case answerTooLong = "answer-too-long"
        /// The catalog says in its answer that it has failed.
        case reportedError = "reported-error"
        /// The answer is JSON, but no product can be made of it.
        case unusableProduct = "unusable-product"
        /// The catalog answered with another product.
        case otherProduct = "other-product"
        /// The catalog is left alone for a while, since it failed too often.
        case suspended
        /// As many requests were sent as the quota allows.
        case quotaUsedUp = "quota-used-up"
        /// A secret cannot be read.
        case unreadableSecret = "unreadable-secret"
        /// The request cannot be made of the declaration.
        case invalidRequest = "invalid-request"
        /// The embedded catalog cannot be used.
        case unusableCatalog = "unusable-catalog"
        /// The lookup was given up by whoever asked.
        case cancelled
    }

    /// The kind of failure.
    package var code: Code
    /// What happened, in one sentence; the texts in it are raw until it is put in words.
    package var reason: Phrase
    /// When it makes sense to ask again, from now; nil where nobody said so.
    package var retryAfter: Duration?

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What happened, in one sentence.
    ///   - retryAfter: When it makes sense to ask again.
    package init(_ code: Code, _ reason: Phrase, retryAfter: Duration? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }
}
