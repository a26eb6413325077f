import WireText
import Yams

/// How a configuration file represents the values of a type.
///
/// A codec reads and writes a value, merges it with a preset's value, and describes it in the JSON Schema.
struct Codec<Value>: Sendable {
    /// Reads a value; if the value is invalid, reports what is wrong and returns nil.
    var read: @Sendable (ConfigurationReader) -> Value?
    /// Returns the value as YAML; nil to leave it out.
    var write: @Sendable (Value) -> Node?
    var schema: @Sendable (inout SchemaWriter) -> JSONObject
    /// Merges a preset's value (first) with the file's value (second) for the same key.
    var merge: @Sendable (Node, Node) -> Node = { _, file in file }

    /// Makes a codec for another type that has the same representation in the file.
    ///
    /// If `make` returns nil, reading returns nil and reports nothing; if `part` returns nil, the value is not written.
    func map<Other>(
        _ make: @escaping @Sendable (Value) -> Other?,
        _ part: @escaping @Sendable (Other) -> Value?
    ) -> Codec<Other> {
        Codec<Other>(
            read: { [read] in read($0).flatMap(make) },
            write: { [write] in part($0).flatMap(write) }, schema: schema, merge: merge)
    }

    /// Makes a codec that calls `codec` at each use, which allows recursive codecs.
    static func later(_ codec: @escaping @Sendable () -> Self) -> Self {
        Self(
            read: { codec().read($0) }, write: { codec().write($0) },
            schema: { codec().schema(&$0) }, merge: { codec().merge($0, $1) })
    }

    /// Makes a codec that does not write a value if `isOmitted` returns true for it.
    func omitting(_ isOmitted: @escaping @Sendable (Value) -> Bool) -> Self {
        var codec = self
        codec.write = { [write] in isOmitted($0) ? nil : write($0) }
        return codec
    }

    /// Returns a copy of this codec whose JSON Schema is a reference to a shared definition called `name`.
    func named(_ name: String) -> Self {
        var codec = self
        codec.schema = { [schema] in $0.reference(to: name, schema) }
        return codec
    }

    /// Returns a copy of this codec with additional members in its JSON Schema.
    func adding(_ members: JSONObject) -> Self {
        var codec = self
        codec.schema = { [schema] writer in
            members.members.reduce(into: schema(&writer)) { $0.append($1.key, $1.value) }
        }
        return codec
    }

    /// A copy of this codec that replaces a preset's value instead of merging the values.
    var whole: Self {
        var codec = self
        codec.merge = { _, file in file }
        codec.schema = { [schema] in $0.describing(besidePreset: false, schema) }
        return codec
    }
}

extension Codec {
    /// Makes a codec for a value with a short and a long notation; `isLong` returns whether a node uses the long one.
    ///
    /// The short notation is written only for values that `long` cannot write.
    static func either(
        _ short: Self, _ long: Self,
        isLong: @escaping @Sendable (Node) -> Bool = { $0.pairs != nil }
    ) -> Self {
        Self(
            read: { isLong($0.tree) ? long.read($0) : short.read($0) },
            write: { long.write($0) ?? short.write($0) },
            schema: { .any(of: short.schema(&$0), long.schema(&$0)) }, merge: long.merge)
    }

    /// Makes a codec for a value that may be one of several words; `others` reads and writes all other values.
    ///
    /// If `expected` is not nil, a value that is neither one of the words nor a mapping is reported as a mistake, and
    /// the message shows `expected` as the expected value.
    static func words(
        _ words: [(word: String, value: Value)], or others: Self, expected: String? = nil
    ) -> Self where Value: Equatable & Sendable {
        Self(
            read: { reader in
                guard let word = words.first(where: { $0.word == reader.tree.text }) else {
                    guard let expected, reader.tree.pairs == nil else { return others.read(reader) }
                    return reader.value(expected) { _ in nil }
                }
                return word.value
            },
            write: { value in
                words.first { $0.value == value }.map { Node(word: $0.word) } ?? others.write(value)
            },
            schema: { .any(of: .either(words.map(\.word)), others.schema(&$0)) })
    }

    /// The elements of a list with their readers; the value of an invalid element is nil.
    typealias Items<Element> = [(reader: ConfigurationReader, value: Element?)]

    /// Makes a codec for a list; reading the list reports and skips invalid elements.
    ///
    /// If `nonEmpty` is not nil, an empty list is reported, with `nonEmpty` as the expected value. `check` gets all
    /// elements and reports those that conflict with each other.
    static func list<Element>(
        _ expected: String, of element: Codec<Element>, nonEmpty: String? = nil,
        onOneLine: Bool = false,
        check: @escaping @Sendable (ConfigurationReader, Items<Element>) -> Void = { _, _ in }
    ) -> Self where Value == [Element] {
        Self(
            read: { reader in
                guard let places = reader.list(expected) else { return nil }
                if places.isEmpty, let nonEmpty { return reader.refuse(expected: nonEmpty) }
                let items = places.map { (reader: $0, value: element.read($0)) }
                check(reader, items)
                return items.compactMap(\.value)
            },
            write: { Node($0.compactMap(element.write), .implicit, onOneLine ? .flow : .any) },
            schema: { ["type": "array", "items": .object(element.schema(&$0))] }
        ).adding(nonEmpty == nil ? [:] : ["minItems": 1])
    }

    /// Calls `report` for each element whose key occurred before.
    static func reportRepeats<Element, Key: Hashable>(
        in items: Items<Element>, by key: (Element) -> Key?,
        _ report: (ConfigurationReader, Key, _ first: ConfigurationReader) -> Void
    ) {
        var first: [Key: ConfigurationReader] = [:]
        for case (let item, let element?) in items {
            guard let key = key(element) else { continue }
            if let first = first[key] { report(item, key, first) } else { first[key] = item }
        }
    }

    /// Makes a codec for one value or a list of at least one value; an empty list is not written.
    static func oneOrMany<Element>(
        _ expected: String, of element: Codec<Element>,
        check: @escaping @Sendable (ConfigurationReader, Items<Element>) -> Void = { _, _ in }
    ) -> Self where Value == [Element] {
        let many = list(expected, of: element, nonEmpty: expected, onOneLine: true, check: check)
        return Self(
            read: { reader in
                reader.tree.items != nil ? many.read(reader) : element.read(reader).map { [$0] }
            },
            write: { $0.isEmpty ? nil : many.write($0) },
            schema: { .any(of: element.schema(&$0), many.schema(&$0)) }, merge: element.merge)
    }

    /// Makes a codec for a mapping whose keys the user chooses.
    static func pairs<Key: Hashable & Sendable, Item>(
        _ expected: String, of values: Codec<Item>, keys: Codec<Key>
    ) -> Self where Value == [(Key, Item)] {
        Self(
            read: { reader in
                var seen: Set<Key> = []
                return reader.entries(expected)?.compactMap { text, value in
                    guard let key = keys.read(value.replaced(by: text)) else { return nil }
                    guard seen.insert(key).inserted else {
                        let name = keys.write(key)?.text ?? text
                        return value.refuse(
                            expected: "each key once", found: "another name of \(name)")
                    }
                    return values.read(value).map { (key, $0) }
                }
            },
            write: { pairs in
                let nodes = pairs.compactMap { key, value in
                    keys.write(key).flatMap { key in values.write(value).map { (key, $0) } }
                }
                return Node(nodes, .implicit, nodes.isEmpty ? .flow : .block)
            },
            schema: { writer in
                var schema: JSONObject = ["type": "object"]
                let names = keys.schema(&writer)
                if names != .anyText { schema.append("propertyNames", .object(names)) }
                schema.append("additionalProperties", .object(values.schema(&writer)))
                return schema
            },
            merge: { $0.overlaid(by: $1) { _ in values.merge } })
    }

    /// Makes a codec for a mapping whose keys the user chooses; `order` sorts the keys for writing.
    static func dictionary<Key: Hashable & Sendable, Item>(
        _ expected: String, of values: Codec<Item>, keys: Codec<Key>,
        order: @escaping @Sendable (Key, Key) -> Bool
    ) -> Self where Value == [Key: Item] {
        Codec<[(Key, Item)]>.pairs(expected, of: values, keys: keys).map(
            { Dictionary($0) { first, _ in first } },
            { $0.sorted { order($0.key, $1.key) }.map { ($0.key, $0.value) } })
    }
}
