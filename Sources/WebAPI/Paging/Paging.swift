public import HTTPTypes
public import WireText

/// How a service splits a list into pages.
///
/// ```swift
/// struct Stock: Endpoint {
///     var call: Call<Page<Item>> {
///         Call("/stock", paging: Paging(.cursor(query: "after", at: ["next"]), items: ["items"]))
///     }
/// }
/// ```
public struct Paging: Hashable, Sendable {
    /// How to get from one page to the next.
    public enum Step: Hashable, Sendable {
        /// A `Link` header with `rel="next"` contains the next page's URL (RFC 8288).
        case links
        /// The query item `query` contains the page's number, counted from `first`.
        ///
        /// A page is the last one if it has fewer than `size` items, or if the stated total has been reached.
        case numbers(query: String, first: Int, size: Int)
        /// The query item `query` contains the number of items to skip.
        ///
        /// A page is the last one if it has fewer than `size` items, or if the stated total has been reached.
        case offsets(query: String, size: Int)
        /// The query item `query` contains the cursor found at this pointer in the previous page. On the last page, the
        /// cursor is missing or empty.
        case cursor(query: String, at: JSONPointer)
        /// Each page except the last contains the next page's URL at this pointer.
        case linkInContent(at: JSONPointer)
    }

    /// Where a page states the total number of items.
    public enum TotalCount: Hashable, Sendable {
        /// This header field, which a page may omit, contains the total number of items.
        case header(HTTPField.Name)
        /// The total is the integer at this pointer, which every page must contain.
        case content(at: JSONPointer)
    }

    /// How to get from one page to the next; by default, through `Link` headers.
    public let step: Step
    /// The JSON pointer to a page's list of items.
    public let items: JSONPointer
    /// Where a page states the total number of items; nil if the service does not state it.
    public let total: TotalCount?
    /// The pointer to a Boolean that is true if the list is incomplete; nil if answers have no such value.
    public let incomplete: JSONPointer?

    /// Creates a description of a service's paging; the parameters set the properties of the same names.
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

/// One page of a list, with the response that contained it.
public struct Page<Item: Sendable>: Sendable {
    /// The items on the page, in the order in which they appear in the JSON.
    public let items: [Item]
    /// The total number of items on all pages; nil if the service does not state it.
    public let totalCount: Int?
    /// Whether the service says that the list is incomplete; false if it says nothing.
    public let isIncomplete: Bool
    /// The response with the page; use it to read header fields, or JSON values other than the items.
    public let response: Response
}

extension Call {
    /// Creates a call that decodes a page of a list; nil query items are left out.
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
