/// A JSON object, whose members have unique keys and keep their order.
///
/// Keys are compared byte for byte: a composed and a decomposed `é` are different keys.
public struct JSONObject: Sendable {
    /// A key with its value; RFC 8259 calls this pair a member.
    public struct Member: Sendable {
        /// The key, with JSON escapes decoded.
        public let key: String
        /// The value that was last appended for the key.
        public fileprivate(set) var value: JSONValue
    }

    /// The members, in the order in which their keys were first added.
    public private(set) var members: [Member] = []

    /// Creates an empty object.
    public init() {}

    /// Creates an empty object with memory reserved for `capacity` members.
    public init(capacity: Int) { members.reserveCapacity(capacity) }

    init(_ elements: [(String, JSONValue)]) {
        self.init(capacity: elements.count)
        for (key, value) in elements { append(key, value) }
    }

    /// Appends a member, or replaces the value of an existing key.
    public mutating func append(_ key: String, _ value: JSONValue) {
        if let index = index(of: key) {
            members[index].value = value
        } else {
            appendNew(key, value)
        }
    }

    /// Appends a member without searching for its key, which the object must not contain yet.
    package mutating func appendNew(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// The value of a key; nil if the object does not contain the key.
    public subscript(key: String) -> JSONValue? {
        index(of: key).map { members[$0].value }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.isIdentical(to: key) }
    }
}

extension JSONObject: Equatable {
    /// Whether two objects have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) {
            $0.key.isIdentical(to: $1.key) && $0.value == $1.value
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal; if a key is repeated, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension String {
    /// Whether two strings have the same UTF-8 bytes, which `==` does not require.
    func isIdentical(to other: String) -> Bool {
        // Compare the cheaper properties first, because most texts differ.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
