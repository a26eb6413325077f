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
