/// A place in a JSON value: the keys and positions that lead to it from the top.
///
/// Its written form is `/items/0/name`, in which `~1` means a slash and `~0` a tilde within a key. The
/// empty pointer is the whole value. Rule: RFC 6901.
public struct JSONPointer: Hashable, Sendable {
    /// The keys and positions, unescaped.
    public let tokens: [String]

    /// Makes a pointer from unescaped keys and positions, from the top down.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Parses a pointer: empty, or starting with a slash, with each tilde followed by 0 or 1.
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

    /// The pointer to a child.
    public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key]) }

    /// The pointer followed by another.
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
    /// Makes a pointer from keys and positions.
    public init(arrayLiteral tokens: String...) { self.init(tokens) }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as RFC 6901 writes it; control characters in keys are not escaped.
    public var description: String {
        // By scalars, because a tilde may be part of a character.
        tokens.map { token in
            let escaped = token.unicodeScalars.replacing(["~"], with: "~0".unicodeScalars)
                .replacing(["/"], with: "~1".unicodeScalars)
            return "/" + String(escaped)
        }.joined()
    }
}

extension JSONValue {
    /// The value at a place; nil if nothing is there.
    ///
    /// In a list only a position counts, in digits without leading zeros; `-`, the place after the last
    /// element, never has a value.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.child(token) else { return nil }
            value = next
        }
        return value
    }

    /// The value of a key in an object, or at a position in a list.
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
