/// The members of a JSON object, in the order they are written, each key once.
///
/// Keys are compared byte for byte: a composed and a decomposed `é` are two keys.
public struct JSONObject: Sendable {
    /// One key with its value.
    public struct Member: Sendable {
        /// The key.
        public let key: String
        /// What is under it.
        public fileprivate(set) var value: JSONValue
    }

    /// The members, in order.
    public private(set) var members: [Member] = []

    /// Makes an object without members.
    public init() {}

    /// Makes an empty object with room for members.
    public init(capacity: Int) {
        members.reserveCapacity(capacity)
    }

    /// Puts a member at the end, or gives a member that is there already a new value.
    public mutating func append(_ key: String, _ value: JSONValue) {
        if let index = index(of: key) {
            members[index].value = value
        } else {
            appendNew(key, value)
        }
    }

    /// Puts a member at the end whose key is known to be none of those there.
    package mutating func appendNew(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// The value under a key; nil if there is none.
    public subscript(key: String) -> JSONValue? {
        index(of: key).map { members[$0].value }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.isIdentical(to: key) }
    }
}

extension JSONObject: Equatable {
    /// Says whether two objects have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) {
            $0.key.isIdentical(to: $1.key) && $0.value == $1.value
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object of a literal, in the literal's order; the last value of a repeated key counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(capacity: elements.count)
        for (key, value) in elements { append(key, value) }
    }
}

extension String {
    /// Compares bytes, where `==` would call a composed and a decomposed letter equal.
    func isIdentical(to other: String) -> Bool {
        // Nearly all texts that are compared differ, which is found out in a few steps.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
