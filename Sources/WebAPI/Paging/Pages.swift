/// The pages of a list, each fetched when it is asked for.
///
/// It ends behind the last page. It ends with an error where a call fails, where a page leads to one
/// that was there already or to another server, where a page is the one before once more, where
/// there are more pages than allowed, and, behind the last page, where there were fewer items than
/// the service counts or where it says that something is missing: a list never silently stops short.
public struct Pages<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// What is fetched.
    public typealias Element = Page<E.Item>

    /// Why it may end early.
    public typealias Failure = CallError

    let client: APIClient
    let endpoint: E
    let limit: Duration
    let maximum: Int

    /// Starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }
}

extension Pages {
    /// Goes from page to page.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var progress = PageProgress()
        private var upcoming: Request?
        private var isStarted = false
        private var shortfall: CallError?

        init(pages: Pages) {
            self.pages = pages
        }

        /// Fetches the next page; `nil` behind the last.
        public mutating func next() async throws(CallError) -> Page<E.Item>? {
            try await next(isolation: nil)
        }

        /// Fetches the next page; `nil` behind the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CallError) -> Page<E.Item>? {
            guard !isStarted || upcoming != nil else {
                guard let error = shortfall else { return nil }
                shortfall = nil
                throw error
            }
            isStarted = true
            let one = PageEndpoint(endpoint: pages.endpoint, later: upcoming)
            upcoming = nil
            let outcome = await pages.client.call(one, within: pages.limit)
            let page = try outcome.result.get()
            do {
                let sent = try one.request()
                upcoming = try progress.request(
                    after: page, sent: sent, paging: pages.endpoint.paging, maximum: pages.maximum)
                if upcoming == nil, let reason = progress.shortfall(after: page) {
                    shortfall = error(.noModel(reason), outcome.attempts)
                }
            } catch {
                let reason: CallError.Reason =
                    switch error {
                    case let error as TransformError: .noModel(error)
                    default: .noModel(.rejected("\(error)"))
                    }
                throw self.error(reason, outcome.attempts)
            }
            return page
        }

        private func error(_ reason: CallError.Reason, _ attempts: [Attempt]) -> CallError {
            CallError(
                endpoint: pages.endpoint.endpointName, reason: reason,
                request: attempts.last?.request, attempts: attempts)
        }
    }
}

/// A paged endpoint asked for a later page.
struct PageEndpoint<E: PagedEndpoint>: Endpoint {
    let endpoint: E
    let later: Request?

    var endpointName: String { endpoint.endpointName }
    var baseURL: BaseURL { endpoint.baseURL }

    func request() throws(RequestError) -> Request {
        if let later { later } else { try endpoint.request() }
    }

    func model(from response: Response) throws(TransformError) -> Page<E.Item> {
        try endpoint.model(from: response)
    }
}

/// The items of all pages, one after the other; a page is fetched when its first item is asked for.
public struct Items<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// What is fetched.
    public typealias Element = E.Item

    /// Why it may end early.
    public typealias Failure = CallError

    let pages: Pages<E>

    /// Starts at the first item.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Goes from item to item.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<E>.Iterator
        private var rest: ArraySlice<E.Item> = []

        init(pages: Pages<E>.Iterator) {
            self.pages = pages
        }

        /// The next item; `nil` behind the last.
        public mutating func next() async throws(CallError) -> E.Item? {
            try await next(isolation: nil)
        }

        /// The next item; `nil` behind the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CallError) -> E.Item? {
            while rest.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                rest = page.items[...]
            }
            return rest.popFirst()
        }
    }
}

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
