import HTTPTypes
import WireText

/// A record of the pages read so far, used to request the next one and to detect repeated pages.
struct PageProgress {
    private var visited: Set<Location> = []
    private var number = 0
    private var items = 0
    private var isIncomplete = false
    private var lastPayload: [UInt8]?

    /// Returns the request for the next page; nil after the last one.
    ///
    /// Throws for a repeated page, for an invalid link or cursor, for a link to another server, and for too many pages.
    mutating func request<Item>(
        after page: Page<Item>, sent request: Request, paging: Paging, maximum: Int
    ) throws(TransformError) -> Request? {
        number += 1
        items += page.items.count
        isIncomplete = isIncomplete || page.isIncomplete
        visited.insert(request.location)
        if let lastPayload, !page.items.isEmpty, lastPayload == page.response.payload {
            throw .rejected("page \(number) is the same as the one before it")
        }
        lastPayload = page.response.payload
        guard let next = try next(page, request, paging) else { return nil }
        guard next.url.origin == request.url.origin else {
            throw .rejected(
                "page \(number) leads to another server, \(next.url.origin), which gets no request")
        }
        guard !visited.contains(next.location) else {
            throw .rejected("page \(number) leads to a page that was read before: \(next)")
        }
        guard number < maximum else {
            throw .rejected("there are more than \(maximum) pages, expected at most that many")
        }
        return next
    }

    /// Returns an error if, according to the service, items are missing from the list.
    func shortfall<Item>(after last: Page<Item>) -> TransformError? {
        if let total = last.totalCount, items < total {
            let found = items.counted("item")
            return .rejected("the list ends after \(found), but the service counts \(total)")
        }
        return isIncomplete ? .rejected("the service says that the list is incomplete") : nil
    }

    private func next<Item>(
        _ page: Page<Item>, _ request: Request, _ paging: Paging
    ) throws(TransformError) -> Request? {
        switch paging.step {
        case .links:
            let target = LinkHeader.target(for: "next", in: page.response.headers)
            return try target.map { (text) throws(TransformError) in try follow(text, request) }
        case .linkInContent(let pointer):
            guard let text = try text(at: pointer, of: page.response) else { return nil }
            return try follow(text, request)
        case .cursor(let query, let pointer):
            guard let cursor = try text(at: pointer, of: page.response) else { return nil }
            return request.setting(query, to: cursor)
        case .numbers(let query, let first, let size):
            return isLast(page, size) ? nil : request.setting(query, to: String(first + number))
        case .offsets(let query, let size):
            return isLast(page, size) ? nil : request.setting(query, to: String(items))
        }
    }

    private func isLast<Item>(_ page: Page<Item>, _ size: Int) -> Bool {
        page.items.count < size || page.totalCount.map { items >= $0 } == true
    }

    private func follow(_ text: String, _ request: Request) throws(TransformError) -> Request {
        do {
            let target = try request.location.resolving(text)
            var next = request
            next.url = target.address
            // A query item that is secret in our request is also secret in a link that repeats it.
            next.queries = target.queries.map { $0.marked(like: request.queries) }
            return next
        } catch {
            throw .rejected("page \(number) leads nowhere: \(error)")
        }
    }

    /// Reads a string or integer as text; nil if the value is missing, `null` or empty.
    private func text(
        at pointer: JSONPointer, of response: Response
    ) throws(TransformError) -> String? {
        switch try response.json()[pointer] {
        case nil, .null, .string(""): return nil
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .some(let other):
            throw .unexpectedValue(
                at: pointer, expected: "the next page as a text", found: other)
        }
    }
}

extension Request {
    /// Returns the request with a query item added or replaced.
    func setting(_ name: String, to value: String) -> Request {
        var copy = self
        let query = Query(name, value).marked(like: queries)
        if let index = queries.firstIndex(where: { $0.encodedName == query.encodedName }) {
            copy.queries[index] = query
        } else {
            copy.queries.append(query)
        }
        return copy
    }
}

/// The links in a response's `Link` headers.
///
/// Rule: RFC 8288, section 3.
enum LinkHeader {
    /// Returns the target of the first link with the lower-case `relation`; nil if no link has it.
    static func target(for relation: String, in headers: HTTPFields) -> String? {
        let link = /<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))*)/
        let parameter = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*)))?/
        let values = HTTPField.Name("Link").map { headers[values: $0] } ?? []
        for match in values.flatMap({ $0.matches(of: link) }) {
            let relations = match.2.matches(of: parameter).first { $0.1.lowercased() == "rel" }
            let found = relations.flatMap { $0.2 ?? $0.3 } ?? ""
            if found.lowercased().split(separator: " ").contains(relation[...]) {
                return String(match.1)
            }
        }
        return nil
    }
}
