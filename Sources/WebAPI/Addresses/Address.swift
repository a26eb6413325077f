import WireText

/// An absolute `http` or `https` URL without query and fragment.
///
/// What exists is valid: the path is percent-encoded, starts with a slash, and holds neither `.`
/// nor `..` as a segment. Data gets into it through ``appending(segment:)`` or a ``Path``, which
/// encode it, so that no text can leave its segment.
///
/// Rule: RFC 3986.
public struct Address: Hashable, Sendable {
    /// Scheme, host and port.
    public let origin: Origin

    /// The path, percent-encoded, with its leading slash.
    public let path: String

    /// Puts together what has been checked.
    init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Reads an address.
    ///
    /// Nothing is repaired: a space, a letter beyond ASCII or a percent sign without two
    /// hexadecimal digits is an error. Letters of scheme and host become small.
    ///
    /// - Parameter text: For example `https://api.example.com/v2`.
    /// - Throws: ``AddressError``; also for a query, a fragment, a user name or a password.
    public init(_ text: String) throws(AddressError) {
        let location = try Location(text)
        guard location.queries.isEmpty else { throw AddressError(.query, in: text) }
        self = location.address
    }

    /// The address one segment further down.
    ///
    /// - Parameter segment: Any text; what is not unreserved in RFC 3986 is percent-encoded.
    /// - Returns: The longer address.
    /// - Throws: ``AddressError`` for an empty segment, which would ask for the collection, and for
    ///   `.` and `..`, which servers resolve even where they are encoded.
    public func appending(segment: String) throws(AddressError) -> Address {
        guard !segment.isEmpty else { throw AddressError(.emptySegment, in: segment) }
        guard segment != ".", segment != ".." else {
            throw AddressError(.dotSegment, in: segment)
        }
        var longer = path
        if !longer.hasSuffix("/") { longer += "/" }
        longer += PercentEncoding.encoded(segment)
        return Address(origin: origin, path: longer)
    }

    /// The address with a path put behind its own.
    ///
    /// - Parameter further: The path; an empty one changes nothing.
    /// - Returns: The longer address.
    /// - Throws: ``AddressError`` of a path that was written wrongly.
    public func appending(_ further: Path) throws(AddressError) -> Address {
        let encoded = try further.encoded.get()
        guard !encoded.isEmpty else { return self }
        let head = path.hasSuffix("/") ? String(path.dropLast()) : path
        let tail = encoded.hasPrefix("/") ? encoded : "/" + encoded
        return Address(origin: origin, path: head + tail)
    }
}

extension Address: CustomStringConvertible {
    /// The address as it is sent.
    public var description: String { origin.description + path }
}
