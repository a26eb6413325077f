public import WireText

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
