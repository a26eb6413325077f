import HTTPCatalog
import WireText
import Yams

extension AnswerRules {
    /// The settings, which stand beside those of the request that is answered.
    @Settings<AnswerRules> static var settings: [Setting<AnswerRules>] {
        Setting(
            "not_found", \.notFound, .rule, "When an answer says that there is no such product.")
        Setting("failed", \.failed, .rule, "When an answer says that the service has failed.")
        Setting("throttled", \.throttled, .rule, "When an answer asks for patience, beyond 429.")
        Setting(
            "messages", \.messages, .pointers,
            "Where the service's own words about an error are.")
    }
}

extension Codec<AnswerRule> {
    /// A condition: a mapping whose parts must all hold, or a list of which one must; beside a
    /// preset, all of it goes ahead.
    static let rule: Self = Self(
        read: { reader in
            if case .sequence = reader.tree.content {
                return rules.read(reader).map(AnswerRule.any)
            }
            return parts.codec.read(reader).flatMap(\.rule)
        },
        write: { parts.codec.write(RuleParts($0)) },
        schema: { .any(of: rules.schema(&$0), parts.codec.schema(&$0)) }
    ).whole

    private static let rules: Codec<[AnswerRule]> = .list(
        "a list of rules such as [{status: 404}]", of: .later { rule },
        nonEmpty: "at least one rule"
    ).named("rules")

    private static let parts: Section<RuleParts> = Section(
        "rule", RuleParts(), schema: ["minProperties": 1], onOneLine: \.isOnOneLine
    ) {
        Setting("status", \.status, .statuses, "The status is one of these.")
        Setting("at", \.place, .pointer, "The answer is JSON, and something stands at this place.")
        Setting(\.test, oneOf: tests, .beside("at"))
        Setting("all", \.all, rules, "All of these rules hold.")
        Setting("any", \.any, rules, "One of these rules holds.")
    } check: { parts, section in
        let count = section.count(\.test)
        if let place = section[\.place], count != 1 {
            let keys = Words.all(tests.map(\.key))
            place.report(
                expected: "one of \(keys) beside at", found: count == 0 ? "none" : "\(count)")
        }
        if section[\.place] == nil, let test = section[\.test] {
            test.report(expected: "at beside it, to say where", found: "it without at")
        } else if section.values.hasNoSetting {
            section.reader.report(
                expected: "a rule such as {status: 404} or {at: /items, empty: true}")
        }
    }

    private static let tests: [Alternative<AnswerRule.Test?>] = [
        Alternative(
            "equals",
            Codec<JSONValue>.scalar.map(
                { .equals($0) }, { if case .equals(let value) = $0 { value } else { nil } }),
            "Exactly this stands there."),
        test("missing", .missing, "Nothing stands there."),
        test("empty", .empty, "null, \"\", [] or {} stands there."),
        test("present", .present, "Something stands there, and is not empty."),
        Alternative(
            "prefix",
            Codec<String>.nonEmptyText.map(
                { .prefix($0) }, { if case .prefix(let text) = $0 { text } else { nil } }),
            "A text stands there that begins so."),
    ]

    private static func test(
        _ key: String, _ test: AnswerRule.Test, _ about: String
    ) -> Alternative<AnswerRule.Test?> {
        Alternative(key, Codec<Bool>.onlyTrue.map({ _ in test }, { $0 == test }), about)
    }
}

/// The parts of a rule, which must all hold.
private struct RuleParts {
    var status: [ClosedRange<Int>] = []
    var place: JSONPointer?
    var test: AnswerRule.Test?
    var all: [AnswerRule]?
    var any: [AnswerRule]?

    init() {}

    init(_ rule: AnswerRule) {
        switch rule {
        case .status(let ranges): status = ranges
        case .at(let pointer, let test): (place, self.test) = (pointer, test)
        case .all(let rules): all = rules
        case .any(let rules): any = rules
        }
    }

    /// Whether it is written on one line.
    var isOnOneLine: Bool { all == nil && any == nil }

    /// The rule; nil where there is no part.
    var rule: AnswerRule? {
        var rules: [AnswerRule] = status.isEmpty ? [] : [.status(status)]
        if let place, let test { rules.append(.at(place, test)) }
        if let all { rules.append(.all(all)) }
        if let any { rules.append(.any(any)) }
        return rules.count == 1 ? rules[0] : rules.isEmpty ? nil : .all(rules)
    }
}

extension Codec<[ClosedRange<Int>]> {
    /// Status codes: `404`, `500-599`, or a list of these.
    fileprivate static let statuses = oneOrMany(
        "status codes",
        of: Codec<ClosedRange<Int>>.text(
            "a status from 100 to 599 such as 404, or a range such as 500-599",
            .any(
                of: ["type": "integer", "minimum": 100, "maximum": 599],
                .string(pattern: "^[1-5][0-9][0-9](-[1-5][0-9][0-9])?$")),
            node: Node.init(word:), read: range,
            write: { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }))

    @Sendable private static func range(_ text: String) -> ClosedRange<Int>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let bounds = parts.compactMap { $0.utf8.count == 3 ? Int($0) : nil }
        guard bounds.count == parts.count, let low = bounds.first, let high = bounds.last,
            bounds.count <= 2, low <= high, low >= 100, high <= 599
        else { return nil }
        return low...high
    }
}
