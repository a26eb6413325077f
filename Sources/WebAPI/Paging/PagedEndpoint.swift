public import HTTPTypes
public import WireText

/// An endpoint that gives a list in pages.
public protocol PagedEndpoint<Item>: Endpoint where Model == Page<Item> {
    /// What the list is of.
    associatedtype Item: Sendable

    /// How one page leads to the next; by `Link` headers unless said otherwise.
    var paging: Paging { get }

    /// Where in the JSON the list stands; at its top unless said otherwise.
    var itemsPointer: JSONPointer { get }

    /// The header that tells how many items there are on all pages, where one does.
    var totalCountHeader: HTTPField.Name? { get }

    /// Where in the JSON it stands how many items there are on all pages, where it does.
    var totalCountPointer: JSONPointer? { get }

    /// Where in the JSON it stands that the list lacks something (`true`), where it does.
    var incompletePointer: JSONPointer? { get }
}

extension PagedEndpoint {
    /// By `Link` headers.
    public var paging: Paging { .links }

    /// At the top.
    public var itemsPointer: JSONPointer { JSONPointer() }

    /// In no header.
    public var totalCountHeader: HTTPField.Name? { nil }

    /// Nowhere.
    public var totalCountPointer: JSONPointer? { nil }

    /// Nowhere.
    public var incompletePointer: JSONPointer? { nil }
}

extension PagedEndpoint where Item: Decodable {
    /// Reads the list of a successful response and the count of all items.
    public func model(from response: Response) throws(TransformError) -> Page<Item> {
        try check(response)
        let json = try response.json()
        let items = try ModelDecoder.decode([Item].self, from: json, at: itemsPointer)
        let isIncomplete = try incompletePointer.map { (pointer) throws(TransformError) in
            try ModelDecoder.decode(Bool.self, from: json, at: pointer)
        }
        return Page(
            items: items, totalCount: try totalCount(of: response, json),
            isIncomplete: isIncomplete ?? false, response: response)
    }

    private func totalCount(
        of response: Response, _ json: JSONValue
    ) throws(TransformError) -> Int? {
        if let name = totalCountHeader, let text = response.headers[name] {
            guard let count = Int(text), count >= 0 else {
                throw .rejected(
                    "the answer has the header \(name) \(text.quoted(upTo: 120)), expected a count")
            }
            return count
        }
        guard let pointer = totalCountPointer else { return nil }
        return try ModelDecoder.decode(Int.self, from: json, at: pointer)
    }
}

/// How a service leads from one page to the next.
public enum Paging: Hashable, Sendable {
    /// By a header `Link` with `rel="next"`. Rule: RFC 8288.
    case links
    /// By the number of the page in the query; `size` is the most a page holds, and a page with less
    /// is the last.
    case numbers(query: String, first: Int, size: Int)
    /// By how many items come before the page, in the query; `size` as for numbers.
    case offsets(query: String, size: Int)
    /// By a text in the page that goes into the next query; the last page has none, or `null`, or an
    /// empty one.
    case cursor(query: String, at: JSONPointer)
    /// By a URL in the page; the last page has none, or `null`, or an empty one.
    case linkInContent(at: JSONPointer)
}

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
