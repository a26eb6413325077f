import Catalog
import WireText

extension AnswerRule {
    enum Key: String, CaseIterable {
        case status, at, equals, missing, empty, present, prefix, all, any
    }

    /// Reads a condition: a mapping whose parts must all hold, or a list of which one must.
    ///
    /// It is nil where anything is wrong, which is reported.
    init?(reading reader: ConfigurationReader) {
        if case .sequence = reader.tree.content {
            guard let rules = Self.rules(reader) else { return nil }
            self = .any(rules)
            return
        }
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        var parts: [AnswerRule] = []
        if let status = mapping[.status] {
            guard let ranges = status.statusRanges() else { return nil }
            parts.append(.status(ranges))
        }
        if let place = mapping[.at] {
            guard let pointer = place.pointer(), let test = Test(mapping, at: place) else {
                return nil
            }
            parts.append(.at(pointer, test))
        } else if let test = Self.tests.lazy.compactMap({ mapping[$0] }).first {
            test.report(expected: "at beside it, to say where", found: "it without at")
            return nil
        }
        for (key, make) in [(Key.all, AnswerRule.all), (.any, AnswerRule.any)] {
            guard let list = mapping[key] else { continue }
            guard let rules = Self.rules(list) else { return nil }
            parts.append(make(rules))
        }
        guard let first = parts.first else {
            reader.report(expected: "a rule such as {status: 404} or {at: /items, empty: true}")
            return nil
        }
        self = parts.count == 1 ? first : .all(parts)
    }

    private static let tests: [Key] = [.equals, .missing, .empty, .present, .prefix]

    private static func rules(_ reader: ConfigurationReader) -> [AnswerRule]? {
        guard let items = reader.list("a list of rules such as [{status: 404}]") else { return nil }
        guard !items.isEmpty else {
            reader.report(expected: "at least one rule")
            return nil
        }
        let rules = items.compactMap(AnswerRule.init(reading:))
        return rules.count == items.count ? rules : nil
    }
}

extension AnswerRule.Test {
    /// Reads the one test that stands beside a place.
    fileprivate init?(
        _ mapping: ConfigurationMapping<AnswerRule.Key>, at place: ConfigurationReader
    ) {
        var found: [AnswerRule.Test] = []
        if let reader = mapping[.equals] {
            guard let scalar = reader.scalar() else { return nil }
            found.append(.equals(scalar))
        }
        if let reader = mapping[.prefix] {
            guard let text = reader.nonEmptyText() else { return nil }
            found.append(.prefix(text))
        }
        for (key, test) in [
            (AnswerRule.Key.missing, Self.missing), (.empty, .empty), (.present, .present),
        ] {
            guard let reader = mapping[key] else { continue }
            guard reader.value("true", { $0 == "true" ? true : nil }) != nil else { return nil }
            found.append(test)
        }
        guard let test = found.first, found.count == 1 else {
            place.report(
                expected: "one of equals, missing, empty, present and prefix beside at",
                found: found.isEmpty ? "none" : "\(found.count)")
            return nil
        }
        self = test
    }
}

extension ConfigurationReader {
    /// Status codes: `404`, `500-599`, or a list of these.
    fileprivate func statusRanges() -> [ClosedRange<Int>]? {
        let expected = "a status from 100 to 599 such as 404, or a range such as 500-599"
        let ranges: [ClosedRange<Int>]? = oneOrMany("status codes") { reader in
            reader.value(expected) { text in
                let parts = text.split(separator: "-", omittingEmptySubsequences: false)
                let bounds = parts.compactMap { $0.utf8.count == 3 ? Int($0) : nil }
                guard bounds.count == parts.count, let low = bounds.first, let high = bounds.last,
                    bounds.count <= 2, low <= high, low >= 100, high <= 599
                else { return nil }
                return low...high
            }
        }
        return ranges?.isEmpty == true ? nil : ranges
    }
}
