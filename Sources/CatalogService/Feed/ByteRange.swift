/// Which bytes a request asks for.
enum ByteRange: Equatable {
    /// All: the request names none, or in a way that may be ignored, such as several ranges.
    case whole
    case part(Range<Int64>)
    /// The file has none of the bytes.
    case unsatisfiable

    /// Reads the value of `Range`.
    ///
    /// Rule: RFC 9110, sections 14.1.2 and 14.2.
    ///
    /// - Parameters:
    ///   - text: The value; nil if the request has no `Range`.
    ///   - size: How many bytes there are.
    init(_ text: String?, of size: Int64) {
        guard let text, text.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { Self.number($0.filter { $0 != " " }) }
        guard parts.count == 2 else {
            self = .whole
            return
        }
        switch (numbers[0], numbers[1]) {
        case (.some(let first), .some(let last)) where first <= last:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (.some(let first), nil) where parts[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, .some(let count)) where parts[0].isEmpty:
            self = min(count, size) > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: self = .whole
        }
    }

    private static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text.prefix(18))
    }
}
