public import HTTPTypes
public import WireText

/// How a service gives a list in pages.
///
/// ```swift
/// struct Stock: Endpoint {
///     var call: Call<Page<Item>> {
///         Call("/stock", paging: Paging(.cursor(query: "after", at: ["next"]), items: ["items"]))
///     }
/// }
/// ```
public struct Paging: Hashable, Sendable {
    /// How one page leads to the next.
    public enum Step: Hashable, Sendable {
        /// By a header `Link` with `rel="next"`. Rule: RFC 8288.
        case links
        /// By the number of the page in the query; `size` is the most a page holds, and a page with less
        /// is the last.
        case numbers(query: String, first: Int, size: Int)
        /// By how many items come before the page, in the query; `size` as for numbers.
        case offsets(query: String, size: Int)
        /// By a text in the page that goes into the next query; the last page has none, or `null`, or
        /// an empty one.
        case cursor(query: String, at: JSONPointer)
        /// By a URL in the page; the last page has none, or `null`, or an empty one.
        case linkInContent(at: JSONPointer)
    }

    /// Where a page says how many items all pages have together.
    public enum TotalCount: Hashable, Sendable {
        /// In a header field, which a page may lack.
        case header(HTTPField.Name)
        /// In the JSON.
        case content(at: JSONPointer)
    }

    /// How one page leads to the next.
    public let step: Step
    /// Where in the JSON the items are.
    public let items: JSONPointer
    /// Where the count of all items is, if there is one.
    public let total: TotalCount?
    /// Where in the JSON it says that the list lacks something (`true`), if it does.
    public let incomplete: JSONPointer?

    /// Describes pages.
    public init(
        _ step: Step = .links, items: JSONPointer = [], total: TotalCount? = nil,
        incomplete: JSONPointer? = nil
    ) {
        self.step = step
        self.items = items
        self.total = total
        self.incomplete = incomplete
    }
}

/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    /// What is on the page, in order.
    public let items: [Item]
    /// How many items all pages have together, if the service says it.
    public let totalCount: Int?
    /// Whether the service says that the list lacks something.
    public let isIncomplete: Bool
    /// The response the page was made of.
    public let response: Response

    /// Makes a page.
    public init(items: [Item], totalCount: Int?, isIncomplete: Bool = false, response: Response) {
        self.items = items
        self.totalCount = totalCount
        self.isIncomplete = isIncomplete
        self.response = response
    }
}

extension Call {
    /// Makes a call whose answer is one page of a list; a query that is nil is left out.
    public init<Item: Decodable>(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil, paging: Paging
    ) where Model == Page<Item> {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: Parser(json: { (response, keys) throws(TransformError) in
                try paging.page(of: response, keys)
            }))
        self.paging = paging
    }
}

extension Paging {
    fileprivate func page<Item: Decodable>(
        of response: Response, _ keys: KeyStrategy
    ) throws(TransformError) -> Page<Item> {
        let json = try response.json()
        return Page(
            items: try ModelDecoder.decode([Item].self, from: json, at: items, keys: keys),
            totalCount: try totalCount(of: response, json),
            isIncomplete: try incomplete.map { (pointer) throws(TransformError) in
                try ModelDecoder.decode(Bool.self, from: json, at: pointer)
            } ?? false,
            response: response)
    }

    private func totalCount(
        of response: Response, _ json: JSONValue
    ) throws(TransformError) -> Int? {
        switch total {
        case nil: return nil
        case .content(let pointer):
            return try ModelDecoder.decode(Int.self, from: json, at: pointer)
        case .header(let name):
            guard let text = response.headers[name] else { return nil }
            guard let count = Int(text), count >= 0 else {
                throw .rejected(
                    "the answer has the header \(name) \(text.quoted(upTo: 120)), expected a count")
            }
            return count
        }
    }
}
