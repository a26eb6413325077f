/// A JSON pointer: the path of keys and list indices from a JSON value to a value inside it.
///
/// As text, a pointer looks like `/items/0/name`; in a key, `~1` means a slash and `~0` a tilde. The empty pointer
/// refers to the whole value. Rule: RFC 6901.
public struct JSONPointer: Hashable, Sendable {
    /// The keys and list indices, unescaped, outermost first.
    public let tokens: [String]

    /// Creates a pointer from unescaped keys and list indices, outermost first.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Parses a pointer in the notation of RFC 6901; nil if the text is invalid.
    public init?(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// Returns the pointer extended by one key or list index.
    public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key]) }

    /// Returns the pointer extended by the keys and list indices of another pointer.
    public func appending(_ other: JSONPointer) -> JSONPointer {
        JSONPointer(tokens + other.tokens)
    }

    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        let pieces = part.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
        var bytes = Array(pieces[0])
        for piece in pieces.dropFirst() {
            switch piece.first {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
            bytes += piece.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: ExpressibleByArrayLiteral {
    /// Creates a pointer from unescaped keys and list indices.
    public init(arrayLiteral tokens: String...) { self.init(tokens) }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as in RFC 6901, such as `/items/0/name`; unsafe characters are not escaped.
    public var description: String {
        // Replace scalars, because a tilde may be only part of a character.
        tokens.map { token in
            let escaped = token.unicodeScalars.replacing(["~"], with: "~0".unicodeScalars)
                .replacing(["/"], with: "~1".unicodeScalars)
            return "/" + String(escaped)
        }.joined()
    }
}

extension JSONValue {
    /// The value that a pointer refers to; nil if it refers to nothing.
    ///
    /// A list index must not have leading zeros. The index `-`, the position after the last element, refers to nothing.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.child(token) else { return nil }
            value = next
        }
        return value
    }

    private func child(_ token: String) -> JSONValue? {
        switch self {
        case .object(let object): return object[token]
        case .array(let elements):
            guard token.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                token == "0" || token.utf8.first != UInt8(ascii: "0"), let index = Int(token),
                elements.indices.contains(index)
            else { return nil }
            return elements[index]
        default: return nil
        }
    }
}
