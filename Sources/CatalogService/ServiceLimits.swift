/// How much may be asked at once.
enum ServiceLimits {
    /// Products on a page, unless the request says how many.
    static let standardPage = 100
    /// Products on a page at the most.
    static let largestPage = 1000
    /// Characters of a code: percent-encoded, each may take twelve bytes of the header.
    static let codeLength = 4096
    /// Characters of a search.
    static let searchLength = 200
    /// The highest number of a product: what fits a signed integer of 64 bits with any 18 digits.
    static let largestNumber: Int64 = 999_999_999_999_999_999
    /// Connections that wait to be taken in; a burst of more would have to be sent anew.
    static let backlog = 4096
    /// Requests for pages or searches that wait for their turn.
    static let waiting = 32
}
