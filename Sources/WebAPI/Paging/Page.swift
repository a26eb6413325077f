/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    /// What is on the page, in order.
    public let items: [Item]

    /// How many items there are on all pages, where the service tells.
    public let totalCount: Int?

    /// Whether the service says that the list lacks something.
    public let isIncomplete: Bool

    /// The response the page was made of.
    public let response: Response

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - items: What is on the page, in order.
    ///   - totalCount: How many items there are on all pages, where the service tells.
    ///   - isIncomplete: Whether the service says that the list lacks something.
    ///   - response: The response the page was made of.
    public init(items: [Item], totalCount: Int?, isIncomplete: Bool = false, response: Response) {
        self.items = items
        self.totalCount = totalCount
        self.isIncomplete = isIncomplete
        self.response = response
    }
}
