extension APIClient {
    /// The pages of a list, each fetched when it is asked for.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - limit: The time for each page.
    ///   - maximum: How many pages there may be.
    /// - Returns: The pages; the sequence throws ``CallError``.
    public func pages<E: PagedEndpoint>(
        of endpoint: E, within limit: Duration = .seconds(10), maximum: Int = 1000
    ) -> Pages<E> {
        Pages(client: self, endpoint: endpoint, limit: limit, maximum: maximum)
    }

    /// The items of all pages, one after the other.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - limit: The time for each page.
    ///   - maximum: How many pages there may be.
    /// - Returns: The items; the sequence throws ``CallError``.
    public func items<E: PagedEndpoint>(
        of endpoint: E, within limit: Duration = .seconds(10), maximum: Int = 1000
    ) -> Items<E> {
        Items(pages: pages(of: endpoint, within: limit, maximum: maximum))
    }
}
