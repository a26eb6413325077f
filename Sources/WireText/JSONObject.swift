/// The members of a JSON object, in the order they are written, each key once.
///
/// Keys are compared byte for byte: a composed and a decomposed `é` are two keys.
public struct JSONObject: Sendable {
    /// One key with its value.
    public struct Member: Sendable {
        /// The key.
        public let key: String

        /// What stands under it.
        public fileprivate(set) var value: JSONValue
    }

    /// The members, in order.
    public private(set) var members: [Member] = []

    /// Where each key stands; kept only from so many members on that going through them all takes
    /// longer, as in an object that is made to be slow.
    private var positions: [ExactText: Int] = [:]

    private static let searchedMembers = 16

    /// Makes an object without members.
    public init() {}

    /// Makes an empty object with room for members.
    ///
    /// - Parameter capacity: How many members will come.
    public init(capacity: Int) {
        members.reserveCapacity(capacity)
    }

    /// Puts a member at the end, or gives a member that is there already a new value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: What stands under it.
    public mutating func append(_ key: String, _ value: JSONValue) {
        guard let index = index(of: key) else {
            appendNew(key, value)
            return
        }
        members[index].value = value
    }

    /// Puts a member at the end whose key is known to be none of those there.
    package mutating func appendNew(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
        guard members.count > Self.searchedMembers else { return }
        if positions.isEmpty {
            for (index, member) in members.enumerated() {
                positions[ExactText(member.key)] = index
            }
        } else {
            positions[ExactText(key)] = members.count - 1
        }
    }

    /// The value under a key; `nil` where there is none.
    ///
    /// - Parameter key: The key, at this level.
    public subscript(key: String) -> JSONValue? {
        guard let index = index(of: key) else { return nil }
        return members[index].value
    }

    private func index(of key: String) -> Int? {
        positions.isEmpty
            ? members.firstIndex { $0.key.isIdentical(to: key) } : positions[ExactText(key)]
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
        // What is not even equal, as nearly all that is compared, is told apart in a few steps.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

/// A text that is equal to another only where their bytes are.
struct ExactText: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.isIdentical(to: right.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
