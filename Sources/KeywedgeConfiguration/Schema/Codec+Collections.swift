import WireText
import Yams

extension Codec {
    /// The elements of a list with their places in the file; nil for what is wrong.
    typealias Items<Element> = [(reader: ConfigurationReader, value: Element?)]

    /// A list.
    ///
    /// - Parameters:
    ///   - expected: What the list is, in words.
    ///   - element: What it is of.
    ///   - nonEmpty: What is expected where there is nothing in it; nil where that is right.
    ///   - mostly: How many elements a schema allows; nil for any number.
    ///   - onOneLine: Whether a list is written on one line.
    ///   - check: Looks at all elements together, when they are read; reports what cannot be.
    /// - Returns: The codec; it reads the elements that are right, and reports the others.
    static func list<Element>(
        _ expected: String, of element: Codec<Element>, nonEmpty: String? = nil,
        mostly: Int64? = nil, onOneLine: Bool = false,
        check: @escaping @Sendable (ConfigurationReader, Items<Element>) -> Void = { _, _ in }
    ) -> Self where Value == [Element] {
        Self(
            read: { reader in
                guard let places = reader.list(expected) else { return nil }
                if places.isEmpty, let nonEmpty {
                    reader.report(expected: nonEmpty)
                    return nil
                }
                let items = places.map { (reader: $0, value: element.read($0)) }
                check(reader, items)
                return items.compactMap(\.value)
            },
            write: { Node($0.compactMap(element.write), .implicit, onOneLine ? .flow : .any) },
            schema: { writer in
                var schema: JSONObject = [
                    "type": "array", "items": .object(element.schema(&writer)),
                ]
                if nonEmpty != nil { schema.append("minItems", 1) }
                if let mostly { schema.append("maxItems", .integer(mostly)) }
                return schema
            })
    }

    /// One value, or a list of at least one; none is left out.
    ///
    /// - Parameters:
    ///   - expected: What the list is, in words.
    ///   - element: What it is of.
    /// - Returns: The codec; it reads the elements that are right, and reports the others.
    static func oneOrMany<Element>(
        _ expected: String, of element: Codec<Element>
    ) -> Self where Value == [Element] {
        let many = list(expected, of: element, nonEmpty: expected, onOneLine: true)
        return Self(
            read: { reader in
                if case .sequence = reader.tree.content { return many.read(reader) }
                return element.read(reader).map { [$0] }
            },
            write: { $0.isEmpty ? nil : many.write($0) },
            schema: { .any(of: element.schema(&$0), many.schema(&$0)) }, merge: element.merge)
    }

    /// A mapping with keys of the user's own, in their order.
    ///
    /// - Parameters:
    ///   - expected: What the mapping is, in words.
    ///   - values: What stands under the keys.
    ///   - keys: What a key can be, as JSON Schema.
    ///   - isQuoted: Whether keys are written in quotation marks.
    ///   - key: What a key means; it reports and gives nil where that is nothing.
    ///   - name: Gives a key as it is written.
    /// - Returns: The codec; it reads what is right, and reports the rest.
    static func pairs<Key: Hashable & Sendable, Item>(
        _ expected: String, of values: Codec<Item>, keys: JSONObject = JSONObject(),
        isQuoted: Bool = false,
        key: @escaping @Sendable (String, ConfigurationReader) -> Key?,
        name: @escaping @Sendable (Key) -> String
    ) -> Self where Value == [(Key, Item)] {
        Self(
            read: { reader in
                var seen: Set<Key> = []
                return reader.entries(expected)?.compactMap { text, reader in
                    guard let key = key(text, reader) else { return nil }
                    guard seen.insert(key).inserted else {
                        reader.report(
                            expected: "each key once", found: "another name of \(name(key))")
                        return nil
                    }
                    return values.read(reader).map { (key, $0) }
                }
            },
            write: { pairs in
                let nodes = pairs.compactMap { key, value in
                    values.write(value).map { node in
                        (isQuoted ? Node(text: name(key)) : Node(name(key)), node)
                    }
                }
                return Node(nodes, .implicit, nodes.isEmpty ? .flow : .block)
            },
            schema: { writer in
                var schema: JSONObject = ["type": "object"]
                if !keys.members.isEmpty { schema.append("propertyNames", .object(keys)) }
                schema.append("additionalProperties", .object(values.schema(&writer)))
                return schema
            },
            merge: { $0.overlaid(by: $1) { _ in values.merge } })
    }

    /// A mapping with keys of the user's own, whose order does not matter.
    ///
    /// - Parameters:
    ///   - expected: What the mapping is, in words.
    ///   - values: What stands under the keys.
    ///   - keys: What a key can be, as JSON Schema.
    ///   - isQuoted: Whether keys are written in quotation marks.
    ///   - key: What a key means; it reports and gives nil where that is nothing.
    ///   - name: Gives a key as it is written.
    ///   - order: In which order they are written.
    /// - Returns: The codec; it reads what is right, and reports the rest.
    static func dictionary<Key: Hashable & Sendable, Item>(
        _ expected: String, of values: Codec<Item>, keys: JSONObject, isQuoted: Bool = false,
        key: @escaping @Sendable (String, ConfigurationReader) -> Key?,
        name: @escaping @Sendable (Key) -> String,
        order: @escaping @Sendable (Key, Key) -> Bool
    ) -> Self where Value == [Key: Item] {
        Codec<[(Key, Item)]>.pairs(
            expected, of: values, keys: keys, isQuoted: isQuoted, key: key, name: name
        ).map(
            { Dictionary($0) { first, _ in first } },
            { $0.sorted { order($0.key, $1.key) }.map { ($0.key, $0.value) } })
    }
}
