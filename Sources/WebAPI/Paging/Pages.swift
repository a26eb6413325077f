/// The pages of a list, fetched one at a time as you iterate.
///
/// If pages or items are missing, the sequence ends with an error, never silently. It throws a ``CallError`` if a call
/// fails, if a page repeats the previous one, if a page leads to another server or to a page already read, or if there
/// are too many pages. After the last page, it throws if the service reports more items than it sent, or says that the
/// list is incomplete.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
    let client: APIClient
    let endpoint: any Endpoint<Page<Item>>
    let limit: Duration
    let maximum: Int

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Pages {
    /// An iterator that fetches one page with each call to ``next()``.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case first
            case next(Request)
            case end(CallError?)
        }

        private let pages: Pages
        private var progress = PageProgress()
        private var step = Step.first

        fileprivate init(_ pages: Pages) { self.pages = pages }

        /// Fetches the next page; returns nil after the last one.
        public mutating func next() async throws(CallError) -> Page<Item>? {
            let step = step
            self.step = .end(nil)
            if case .end(let shortfall) = step {
                guard let shortfall else { return nil }
                throw shortfall
            }
            let (call, first) = try prepared()
            let request = if case .next(let next) = step { next } else { first }
            let outcome = await pages.client.call(
                Call(
                    request, named: pages.endpoint.name, accepting: call.statuses,
                    parser: call.parser),
                within: pages.limit)
            let page = try outcome.result.get()
            do {
                let next = try progress.request(
                    after: page, sent: request, paging: call.paging ?? Paging(),
                    maximum: pages.maximum)
                let shortfall = next == nil ? progress.shortfall(after: page) : nil
                self.step =
                    next.map { .next($0) }
                    ?? .end(shortfall.map { error(.noModel($0), outcome.attempts) })
            } catch {
                throw self.error(.noModel(error), outcome.attempts)
            }
            return page
        }

        private func prepared() throws(CallError) -> (call: Call<Page<Item>>, request: Request) {
            do {
                return try pages.client.prepared(pages.endpoint)
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

/// The items of all pages in order; a page is fetched when its first item is needed.
public struct Items<Item: Sendable>: AsyncSequence, Sendable {
    let pages: Pages<Item>

    /// Returns an iterator that starts at the first item of the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// An iterator over the items of all pages; it fetches each page when it is needed.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Item>.Iterator
        fileprivate var rest: ArraySlice<Item> = []

        /// Returns the next item; nil after the last one.
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
    /// Returns the pages of a list, fetched one at a time as you iterate.
    ///
    /// `limit` is the time limit for each page. The sequence throws a ``CallError`` if a page cannot be fetched, if
    /// pages or items are missing, or if there are more than `maximum` pages.
    public func pages<Item>(
        of endpoint: some Endpoint<Page<Item>>, within limit: Duration = .seconds(10),
        maximum: Int = 1000
    ) -> Pages<Item> {
        Pages(client: self, endpoint: endpoint, limit: limit, maximum: maximum)
    }

    /// Returns the items of all pages in order; see ``pages(of:within:maximum:)`` for the parameters.
    public func items<Item>(
        of endpoint: some Endpoint<Page<Item>>, within limit: Duration = .seconds(10),
        maximum: Int = 1000
    ) -> Items<Item> {
        Items(pages: pages(of: endpoint, within: limit, maximum: maximum))
    }
}
