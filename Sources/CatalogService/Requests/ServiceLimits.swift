/// How much may be asked at once.
enum ServiceLimits {
    /// Products on a page, unless the request says how many.
    static let standardPage = 100
    /// Products on a page at the most.
    static let largestPage = 1000
    /// Products in a range that has a digest, unless the request says how many.
    static let standardRange = 1000
    /// Ranges on a page.
    static let ranges = 1000
    /// Characters of an id.
    static let idLength = 4096
    /// Characters of a code: percent-encoded, each may take twelve bytes of the header.
    static let codeLength = 4096
    /// Characters of a search.
    static let searchLength = 200
    /// Characters of a revision or of a place among the changes.
    static let cursorLength = 100
    /// The highest number of a product: what fits a signed integer of 64 bits with any 18 digits.
    static let largestNumber: Int64 = 999_999_999_999_999_999
    /// Connections that wait to be taken in; a burst of more would have to be sent anew.
    static let backlog = 4096
    /// Requests for changes that wait until there are some.
    static let waiters = 10_000
    /// Requests for pages or searches that wait for their turn.
    static let waiting = 32
    /// Shops whose digests are held; those of a hundred thousand products take some 20 kB.
    static let shopsWithDigests = 1000
    /// How many bytes answers may have that are kept ready.
    static let readyBytes = 16 << 20
    /// What a ready answer takes beside its content and what it is found by.
    static let readyOverhead = 1024
}
