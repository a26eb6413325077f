/// The catalog that an embedded one follows, and how far.
public struct Upstream: Hashable, Sendable {
    /// Where it is.
    public let url: String
    /// The revision of it that was taken over, in its own words.
    public let revision: String

    /// Names a catalog to follow.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - revision: The revision of it, in its own words.
    public init(url: String, revision: String) {
        self.url = url
        self.revision = revision
    }
}
