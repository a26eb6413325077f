import Catalog
import WireText

extension ConfigurationReader {
    private static let pointerText = "a JSON pointer such as /product/name (RFC 6901)"

    /// One value, or each of a list.
    func oneOrMany<Value>(
        _ expected: String, _ read: (ConfigurationReader) -> Value?
    ) -> [Value]? {
        guard case .sequence = tree.content else { return read(self).map { [$0] } }
        guard let items = list(expected) else { return nil }
        guard !items.isEmpty else {
            report(expected: expected)
            return nil
        }
        return items.compactMap(read)
    }

    /// A place in an answer.
    func pointer() -> JSONPointer? {
        value(Self.pointerText) { JSONPointer($0) }
    }

    /// Places in an answer.
    func pointers() -> [JSONPointer]? {
        oneOrMany("JSON pointers") { $0.pointer() }
    }

    /// A place in the answers to one lookup.
    func place() -> AnswerPlace? {
        value("\(Self.pointerText), perhaps with # or first# in front") { AnswerPlace($0) }
    }

    /// Places in the answers to one lookup.
    func places() -> [AnswerPlace]? {
        oneOrMany("places in an answer") { $0.place() }
    }

    /// Where a field comes from.
    func sources() -> [FieldSource]? {
        oneOrMany("places in an answer, or texts") { reader in
            if case .mapping = reader.tree.content {
                return JoinedPlace(reading: reader).map(FieldSource.joined)
            }
            return reader.value("a place in an answer such as /name, or a text") { FieldSource($0) }
        }
    }

    /// Where codes are.
    func codePlaces() -> [CodePlace]? {
        oneOrMany("places in an answer, or {each: /list, take: /code}") { reader in
            guard case .mapping = reader.tree.content else {
                return reader.place().map { CodePlace($0) }
            }
            return CodePlace(reading: reader)
        }
    }

    /// A text, number, word or nothing, as JSON has them.
    func scalar() -> JSONScalar? {
        let expected = "a text, a number, true, false or null"
        guard isUndecorated() else { return nil }
        if tree.isNull { return .null }
        guard let text = text(expected) else { return nil }
        guard case .scalar(_, isPlain: true) = tree.content else { return .text(text) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return JSONNumber(text).map(JSONScalar.number) ?? .text(text)
        }
    }

    /// A text with placeholders.
    func template<Value>(
        _ what: String, _ make: (String) throws(TemplateError) -> Value
    ) -> Value? {
        guard let text = text(what) else { return nil }
        do throws(TemplateError) {
            return try make(text)
        } catch {
            report(expected: "\(what) (\(error))")
            return nil
        }
    }
}

extension JoinedPlace {
    enum Key: String, CaseIterable {
        case each
        case key = "where"
        case reference = "is"
        case take
    }

    /// Reads `{each: "#/list", where: /id, is: /item_id, take: /name}`.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let each = reader.required(mapping[.each], "where the list is", Key.each.rawValue) {
            $0.place()
        }
        let key = reader.required(
            mapping[.key], "where each element says who it is", Key.key.rawValue
        ) { $0.pointer() }
        let reference = reader.required(
            mapping[.reference], "where the product says which element is its own",
            Key.reference.rawValue
        ) { $0.place() }
        let take = reader.required(
            mapping[.take], "where the field is in that element", Key.take.rawValue
        ) { $0.pointer() }
        guard let each, let key, let reference, let take else { return nil }
        self.init(in: each, where: key, is: reference, take: take)
    }
}

extension CodePlace {
    enum Key: String, CaseIterable {
        case each, take
    }

    /// Reads `{each: /list, take: /code}`.
    init?(reading reader: ConfigurationReader) {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let each = reader.required(mapping[.each], "where the list is", Key.each.rawValue) {
            $0.place()
        }
        let take = reader.required(
            mapping[.take], "where the code is in each element", Key.take.rawValue
        ) { $0.pointer() }
        guard let each, let take else { return nil }
        self.init(each, element: take)
    }
}
