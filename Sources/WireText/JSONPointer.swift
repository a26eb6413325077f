/// A place in a JSON value: the keys and positions that lead to it from the top.
///
/// Written, it is `/items/0/name`, where `~1` stands for a slash and `~0` for a tilde within a key.
/// The empty pointer is the whole value. Rule: RFC 6901.
public struct JSONPointer: Hashable, Sendable {
    /// The keys and positions, unescaped.
    public let tokens: [String]

    /// Makes a pointer of keys and positions, from the top down, unescaped.
    public init(_ tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Reads a pointer.
    ///
    /// - Parameter text: Empty, or starting with a slash; a tilde stands before 0 or 1 only.
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

    /// The pointer one step further down.
    public func appending(_ key: String) -> JSONPointer {
        JSONPointer(tokens + [key])
    }

    /// The pointer with another one behind it.
    public func appending(_ other: JSONPointer) -> JSONPointer {
        JSONPointer(tokens + other.tokens)
    }

    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: ExpressibleByArrayLiteral {
    /// Makes a pointer of keys and positions.
    public init(arrayLiteral tokens: String...) { self.init(tokens) }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as RFC 6901 writes it; control characters in keys are not escaped.
    public var description: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}

extension JSONValue {
    /// What stands at a place; nil if there is nothing.
    ///
    /// - Parameter pointer: The place. In a list only a position counts, in digits without leading
    ///   zeros; `-`, the place after the last element, is never there.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.child(token) else { return nil }
            value = next
        }
        return value
    }

    /// What stands under a key of an object or at a position of a list.
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
