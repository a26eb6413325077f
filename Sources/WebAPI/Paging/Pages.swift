/// The pages of a list, each fetched when it is asked for.
///
/// It ends after the last page. It ends with an error where a call fails, where a page leads to one
/// that was there already or to another server, where a page is the one before once more, where
/// there are more pages than allowed, and, after the last page, where there were fewer items than
/// the service counts or where it says that something is missing: a list never silently stops short.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
    /// What is fetched.
    public typealias Element = Page<Item>

    /// Why it may end early.
    public typealias Failure = CallError

    let client: APIClient
    let endpoint: any Endpoint<Page<Item>>
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

        /// Fetches the next page; nil after the last.
        public mutating func next() async throws(CallError) -> Page<Item>? {
            guard !isStarted || upcoming != nil else {
                guard let error = shortfall else { return nil }
                shortfall = nil
                throw error
            }
            isStarted = true
            let (call, request) = try prepared()
            upcoming = nil
            let outcome = await pages.client.call(
                Call(
                    request, named: pages.endpoint.name, accepting: call.statuses,
                    parser: call.parser),
                within: pages.limit)
            let page = try outcome.result.get()
            do {
                upcoming = try progress.request(
                    after: page, sent: request, paging: call.paging ?? Paging(),
                    maximum: pages.maximum)
            } catch {
                throw self.error(.noModel(error), outcome.attempts)
            }
            if upcoming == nil, let reason = progress.shortfall(after: page) {
                shortfall = error(.noModel(reason), outcome.attempts)
            }
            return page
        }

        /// The call, and the request for the next page.
        private func prepared() throws(CallError) -> (Call<Page<Item>>, Request) {
            do {
                let call = try pages.endpoint.call
                if let upcoming { return (call, upcoming) }
                return (call, try pages.client.request(for: call))
            } catch {
                throw self.error(.noRequest(error), [])
            }
        }

        private func error(_ reason: CallError.Reason, _ attempts: [Attempt]) -> CallError {
            CallError(
                endpoint: pages.endpoint.name, reason: reason,
                request: attempts.last?.request, attempts: attempts)
        }
    }
}

/// The items of all pages, one after the other; a page is fetched when its first item is asked for.
public struct Items<Item: Sendable>: AsyncSequence, Sendable {
    /// What is fetched.
    public typealias Element = Item

    /// Why it may end early.
    public typealias Failure = CallError

    let pages: Pages<Item>

    /// Starts at the first item.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Goes from item to item.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages<Item>.Iterator
        private var rest: ArraySlice<Item> = []

        init(pages: Pages<Item>.Iterator) {
            self.pages = pages
        }

        /// The next item; nil after the last.
        public mutating func next() async throws(CallError) -> Item? {
            while rest.isEmpty {
                guard let page = try await pages.next() else { return nil }
                rest = page.items[...]
            }
            return rest.popFirst()
        }
    }
}

extension APIClient {
    /// The pages of a list, each fetched when it is asked for, within `limit`.
    ///
    /// The sequence throws ``CallError``, also for more pages than `maximum`.
    public func pages<Item>(
        of endpoint: some Endpoint<Page<Item>>, within limit: Duration = .seconds(10),
        maximum: Int = 1000
    ) -> Pages<Item> {
        Pages(client: self, endpoint: endpoint, limit: limit, maximum: maximum)
    }

    /// The items of all pages, one after the other; parameters as for ``pages(of:within:maximum:)``.
    public func items<Item>(
        of endpoint: some Endpoint<Page<Item>>, within limit: Duration = .seconds(10),
        maximum: Int = 1000
    ) -> Items<Item> {
        Items(pages: pages(of: endpoint, within: limit, maximum: maximum))
    }
}
