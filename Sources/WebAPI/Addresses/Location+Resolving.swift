extension Location {
    /// Reads a URL that may be relative to this one, as `Location` and `Link` headers hold it.
    ///
    /// - Parameter reference: An absolute URL, `//host/path`, `/path`, `path`, `../path` or `?query`.
    /// - Returns: The absolute location.
    /// - Throws: ``AddressError``.
    ///
    /// Rule: RFC 3986, section 5.2.
    public func resolving(_ reference: String) throws(AddressError) -> Location {
        if Self.hasScheme(reference) { return try Location(reference) }
        if reference.hasPrefix("//") {
            return try Location("\(address.origin.scheme.rawValue):\(reference)")
        }
        let target = reference.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let rest = target[path.endIndex...]
        guard !path.isEmpty else {
            guard !rest.isEmpty else { return self }
            let text = address.path + rest
            return try Location(origin: address.origin, relative: text[...], of: reference)
        }
        let merged = path.hasPrefix("/") ? String(path) : folder + path
        let text = Self.removingDotSegments(merged) + rest
        return try Location(origin: address.origin, relative: text[...], of: reference)
    }

    /// The path up to and with its last slash.
    private var folder: String {
        String(address.path[...(address.path.lastIndex(of: "/") ?? address.path.startIndex)])
    }

    private static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":") else { return false }
        let scheme = reference[..<colon]
        return scheme.first?.isLetter == true && !scheme.contains { "/?#".contains($0) }
    }

    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
