package import WireText

/// What the answers to a request mean.
///
/// They are tried in the order throttled, failed, not found. An answer that none of them claims is
/// a product where its status is 200 to 299, and an error otherwise: in particular, a 404 is an
/// error unless a rule says that it means "no such product", for it may as well mean a wrong URL.
package struct AnswerRules: Hashable, Sendable {
    /// The catalog throttles, beyond 429, which always says so.
    package var throttled: AnswerRule?
    /// The catalog has failed, above all where the status does not say so.
    ///
    /// With 401 and 403 it still refuses to answer us, and with 500 to 599 it is still out of order.
    package var failed: AnswerRule?
    /// The catalog has no such product.
    package var notFound: AnswerRule?
    /// Where the catalog's own words about an error are, ahead of the places most services use;
    /// the first text counts.
    package var messages: [JSONPointer]

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - throttled: The catalog throttles.
    ///   - failed: The catalog has failed.
    ///   - notFound: The catalog has no such product.
    ///   - messages: Where the catalog's own words about an error are.
    package init(
        throttled: AnswerRule? = nil, failed: AnswerRule? = nil, notFound: AnswerRule? = nil,
        messages: [JSONPointer] = []
    ) {
        self.throttled = throttled
        self.failed = failed
        self.notFound = notFound
        self.messages = messages
    }
}
