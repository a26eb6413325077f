package import HTTPTypes

/// What a request asks for, as it stands in its first line.
///
/// It is split by bytes: a combining mark behind a slash makes no other slash of it.
///
/// Rule: RFC 9112, section 3.2.
package struct RequestTarget: Equatable {
    /// The segments of the path, as they are encoded; empty for what is no path.
    package let segments: [Substring]
    /// What stands behind the question mark, as it is encoded.
    package let query: Substring?

    /// Splits a target.
    ///
    /// A path with a scheme and a host in front, as proxies get it, is a path.
    package init(_ text: String) {
        var rest = Self.withoutOrigin(text)
        rest = rest.prefix { $0 != UInt8(ascii: "#") }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        query =
            path.endIndex == rest.endIndex ? nil : Substring(rest[path.endIndex...].dropFirst())
        segments =
            path.first == UInt8(ascii: "/")
            ? path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { Substring($0) } : []
    }

    private static func withoutOrigin(_ text: String) -> Substring.UTF8View {
        let all = text[...].utf8
        let scheme = all.prefix { $0 != UInt8(ascii: ":") }
        let behind = all[scheme.endIndex...]
        let isAbsolute = all.first != UInt8(ascii: "/") && behind.starts(with: "://".utf8)
        guard isAbsolute else { return all }
        return behind.dropFirst(3).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
}

extension HTTPField.Name {
    fileprivate static let host = HTTPField.Name("Host")
}

extension HTTPRequest {
    /// The values of all fields `Host`: the first is the authority here, and others stay fields.
    package var hosts: [String] {
        let others = HTTPField.Name.host.map { headerFields[values: $0] } ?? []
        return [authority].compactMap(\.self) + others
    }
}
