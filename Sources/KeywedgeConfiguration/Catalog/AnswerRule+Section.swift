import HTTPCatalog
import WireText
import Yams

extension AnswerRules {
    /// The settings for recognising errors in answers.
    @Settings<AnswerRules> static var settings: [Setting<AnswerRules>] {
        Setting(
            "not_found", \.notFound, .rule, "When an answer says that there is no such product.")
        Setting("failed", \.failed, .rule, "When an answer says that the service has failed.")
        Setting("throttled", \.throttled, .rule, "When an answer asks to slow down, besides 429.")
        Setting(
            "messages", \.messages, .oneOrMany("JSON pointers", of: .pointer),
            "Where an answer has the service's error message.")
    }
}

extension Codec<AnswerRule> {
    /// A mapping whose conditions must all match, or a list of rules, at least one of which must match.
    static let rule: Self = either(
        rules.map(AnswerRule.any, { _ in nil }),
        parts.codec.adding(["minProperties": 1]).map(\.rule, RuleParts.init),
        isLong: { $0.items == nil }
    ).whole

    private static let rules: Codec<[AnswerRule]> = .list(
        "a list of rules such as [{status: 404}]", of: .later { rule },
        nonEmpty: "at least one rule"
    ).named("rules")

    private static let parts: Section<RuleParts> = Section(
        "rule", RuleParts(), onOneLine: { $0.all == nil && $0.any == nil }
    ) {
        Setting("status", \.status, .statuses, "The status is one of these.")
        Setting("at", \.place, .pointer, "The answer is JSON, and has something at this place.")
        tests
        Setting("all", \.all, rules, "All of these rules hold.")
        Setting("any", \.any, rules, "One of these rules holds.")
    } check: { _, section in
        guard section.tree.pairs?.isEmpty == true else { return }
        section.report(expected: "a rule such as {status: 404} or {at: /items, empty: true}")
    }

    private static let tests = Setting<RuleParts>(oneOf: .beside("at")) {
        Setting(
            "equals", \.test,
            Codec<JSONValue>.scalar.map(
                AnswerRule.Test.equals,
                { if case .equals(let value) = $0 { value } else { nil } }),
            "Exactly this is there.")
        test("missing", .missing, "Nothing is there.")
        test("empty", .empty, "null, \"\", [] or {} is there.")
        test("present", .present, "Something is there, and is not empty.")
        Setting(
            "prefix", \.test,
            Codec<String>.nonEmptyText.map(
                AnswerRule.Test.prefix,
                { if case .prefix(let text) = $0 { text } else { nil } }),
            "A text with this beginning is there.")
    }

    private static func test(
        _ key: String, _ test: AnswerRule.Test, _ about: String
    ) -> Setting<RuleParts> {
        Setting(key, \.test, Codec<Bool>.only("true").map({ _ in test }, { $0 == test }), about)
    }
}

/// The conditions of a rule; an answer must match all of them.
private struct RuleParts {
    var status: [ClosedRange<Int>] = []
    var place: JSONPointer?
    var test: AnswerRule.Test?
    var all: [AnswerRule]?
    var any: [AnswerRule]?

    init(_ rule: AnswerRule? = nil) {
        switch rule {
        case nil: break
        case .status(let ranges): status = ranges
        case .at(let pointer, let test): (place, self.test) = (pointer, test)
        case .all(let rules): all = rules
        case .any(let rules): any = rules
        }
    }

    var rule: AnswerRule? {
        var rules: [AnswerRule] = status.isEmpty ? [] : [.status(status)]
        if let place, let test { rules.append(.at(place, test)) }
        if let all { rules.append(.all(all)) }
        if let any { rules.append(.any(any)) }
        return rules.count == 1 ? rules[0] : rules.isEmpty ? nil : .all(rules)
    }
}

extension Codec<[ClosedRange<Int>]> {
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
        guard let match = text.wholeMatch(of: /([1-5][0-9][0-9])(-[1-5][0-9][0-9])?/),
            let low = Int(match.1)
        else { return nil }
        let high = match.2.flatMap { Int($0.dropFirst()) } ?? low
        return low <= high ? low...high : nil
    }
}

extension Codec<JSONValue> {
    /// A JSON scalar; a number, `true`, `false` or `null` in quotation marks is a string.
    static let scalar = Self(
        read: { reader in
            if reader.tree.isNull { return .null }
            guard let text = reader.text("a text, a number, true, false or null") else {
                return nil
            }
            guard reader.tree.isPlain else { return .string(text) }
            switch text {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return JSONNumber(text).map(JSONValue.number) ?? .string(text)
            }
        },
        write: { scalar in
            switch scalar {
            case .string(let text): Node(text: text)
            case .array, .object: nil
            default: Node(word: JSONWriter.text(of: scalar))
            }
        }, schema: { _ in ["type": ["string", "number", "boolean", "null"]] })
}

private let longTimes: ClosedRange<Duration> = .zero ... .seconds(366 * 86_400)

extension ResilienceSettings {
    /// Settings such as timeouts and retries; in the file, their keys are siblings of the catalog's `url`.
    @Settings<ResilienceSettings>
    static var settings: [Setting<ResilienceSettings>] {
        let times: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)
        Setting(
            "attempt_timeout", \.attemptTimeout, .duration(in: times),
            "How long one request may take, from the connection to the last byte.")
        Setting(
            "connect_timeout", \.connectTimeout, .duration(in: times),
            "How long making a connection may take.")
        Setting(
            "attempts", \.attempts, .number(in: 1...5),
            "The maximum number of attempts.")
        Setting(
            "backoff", \.backoff, .duration(in: .zero ... .seconds(60)),
            "The longest wait before the second request; each further one may be twice as long.")
        Setting(
            "retry_tokens", \.retryTokens, .number(in: 0...1000),
            "The number of retries in the budget.")
        Setting(
            "breaker", \.breaker, BreakerSettings.section.codec,
            "When requests to a failing catalog stop for a while.")
        Setting(
            "cache", \.cache, CacheSettings.section.codec,
            "How long answers are kept.")
        Setting(
            "quota", \.quota, QuotaSettings.section.codec,
            "How many requests the catalog accepts.")
    }
}

extension BreakerSettings {
    private static let times: ClosedRange<Duration> = .milliseconds(100) ... .seconds(3600)

    static let section = Section("breaker", BreakerSettings()) {
        Setting(
            "window", \.window, .duration(in: times), "The time over which requests are counted.")
        Setting(
            "min_calls", \.minimumCalls, .number(in: 1...1000),
            "The fewest requests in window that can open the breaker.")
        Setting(
            "failure_percent", \.failurePercent, .number(in: 1...100),
            "The percentage of failures that opens the breaker.")
        Setting(
            "open_for", \.openFor, .duration(in: times),
            "How long requests stop the first time.")
        Setting(
            "open_at_most", \.openAtMost, .duration(in: times),
            "The limit to which failed probes double open_for.")
    } check: { breaker, section in
        guard breaker.openFor > breaker.openAtMost else { return }
        let times = [breaker.openFor, breaker.openAtMost].map(DurationText.text)
        section.report(
            expected: "an open_for of at most open_at_most", found: "\(words: Words.all(times))")
    }
}

extension CacheSettings {
    static let section = Section("cache", CacheSettings()) {
        Setting(
            "fresh", \.fresh, .duration(in: longTimes),
            "How long a product is used without asking again.")
        Setting(
            "stale_while_revalidate", \.staleWhileRevalidate, .duration(in: longTimes),
            "How long after fresh a product is used while keywedge asks again.")
        Setting(
            "stale_if_error", \.staleIfError, .duration(in: longTimes),
            "How long after fresh a product is used, marked as old, if asking again fails, "
                + "whatever the answer says; by default a week, unless the answer says otherwise.")
        Setting(
            "not_found", \.notFound, .duration(in: longTimes),
            "How long keywedge remembers that there is no such product.")
        Setting(
            "entries", \.entries, .number(in: 1...1_000_000),
            "The minimum number of recent answers kept in memory.")
        Setting(
            "obey_headers", \.obeysHeaders, .flag,
            "Whether Cache-Control in an answer overrides these times.")
    }
}

extension QuotaSettings {
    static let section = Section(
        "quota", QuotaSettings(requests: 1, per: .seconds(1)), onOneLine: { _ in true }
    ) {
        Setting(
            "requests", \.requests, .number(in: 1...1_000_000_000),
            "The number of requests in a period.", needed: "how many requests")
        Setting(
            "per", \.per, .duration(in: .milliseconds(1)...longTimes.upperBound),
            "The length of the period.", needed: "in which time")
    }
}

extension Codec<RateLimitFields> {
    static let rateLimit = Section("rate-limit", RateLimitFields()) {
        Setting("remaining", \.remaining, .nonEmptyText, "The field that counts the requests left.")
        Setting("reset", \.reset, .nonEmptyText, "The field that says when more are accepted.")
        Setting("reset_unit", \.resetUnit, .choice, "How reset is written.")
    }.codec.omitting { $0 == RateLimitFields() }
}
