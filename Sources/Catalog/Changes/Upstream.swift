/// The catalog that an embedded one follows, and how far.
package struct Upstream: Hashable, Sendable {
    /// Where it is.
    package let url: String
    /// The revision of it that was taken over, in its own words.
    package let revision: String

    /// Names a catalog to follow.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - revision: The revision of it, in its own words.
    package init(url: String, revision: String) {
        self.url = url
        self.revision = revision
    }
}
