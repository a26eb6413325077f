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
