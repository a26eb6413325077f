/// A request as a server received it.
public struct StubRequest: Sendable, Equatable {
    /// The method.
    public let method: String
    /// Path and query, as they came.
    public let target: String
    /// The header lines without line breaks, as they came.
    public let headerLines: [String]
    /// The content.
    public let body: [UInt8]

    /// The path, as it came.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query without its question mark, as it came; empty for none.
    public var query: String { String(target.dropFirst(path.count + 1)) }

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header with a name; letter case does not matter.
    ///
    /// - Parameter name: The name.
    public subscript(name: String) -> String? {
        for line in headerLines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return String(parts[1].drop { $0 == " " })
            }
        }
        return nil
    }
}
