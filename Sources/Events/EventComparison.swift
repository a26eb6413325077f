package import WireText

/// Compares produced events with expected lines while the events are being produced.
///
/// Lines are equal if their bytes are equal. Unequal lines are parsed as JSON, and the fields that differ are reported.
/// A missing or extra event does not make all later events differ, because up to ``window`` lines are searched for the
/// next match. Only these lines are in memory.
///
/// Blank expected lines are skipped, but counted in line numbers.
package struct EventComparison {
    /// How many lines to search for the next match after a difference.
    package static let window = 16

    package private(set) var equalCount = 0

    package private(set) var differenceCount = 0

    private var source: DescriptorLines
    private var expectedNumber = 0
    private var producedNumber = 0
    private var expected: [EventLine] = []
    private var produced: [EventLine] = []

    package init(expected: DescriptorLines) {
        source = expected
    }

    /// Adds the next produced line.
    ///
    /// - Returns: Descriptions of the differences that are now certain; they may concern earlier lines.
    /// - Throws: Errors in reading the expected lines.
    package mutating func add(_ line: [UInt8]) throws -> [String] {
        producedNumber += 1
        if produced.isEmpty {
            if expected.isEmpty, let next = try nextExpected() {
                guard next != line else {
                    equalCount += 1
                    return []
                }
                expected.append(EventLine(number: expectedNumber, bytes: next))
            } else if expected.first?.bytes == line {
                expected.removeFirst()
                equalCount += 1
                return []
            }
        }
        produced.append(EventLine(number: producedNumber, bytes: line))
        return try settle(while: { $0 >= Self.window })
    }

    /// Ends the comparison after the last produced line.
    ///
    /// - Returns: Descriptions of the remaining differences, including missing lines.
    /// - Throws: Errors in reading the expected lines.
    package mutating func finish() throws -> [String] {
        var differences = try settle(while: { $0 > 0 })
        while try fillExpected(to: 1) { differences.append(dropExpected()) }
        return differences
    }

    /// Compares the produced lines that are waiting with the expected lines, in order.
    ///
    /// At a mismatch, it continues if `isEnough` accepts the number of waiting produced lines, and otherwise stops.
    private mutating func settle(while isEnough: (Int) -> Bool) throws -> [String] {
        var differences: [String] = []
        while let line = produced.first {
            guard try fillExpected(to: 1) else {
                differences.append(dropProduced())
                continue
            }
            if expected[0].bytes == line.bytes {
                expected.removeFirst()
                produced.removeFirst()
                equalCount += 1
            } else if expected[0].isSameEvent(as: line) {
                differences.append(pair())
            } else if isEnough(produced.count) {
                differences.append(contentsOf: try realign())
            } else {
                break
            }
        }
        return differences
    }

    /// Resolves a mismatch between the first expected line and the first produced line.
    ///
    /// Decides whether these lines describe one event, or whether events are missing or extra.
    private mutating func realign() throws -> [String] {
        _ = try fillExpected(to: Self.window)
        let goesOnAlike =
            produced.count > 1 && expected.count > 1 && expected[1].isSameEvent(as: produced[1])
        let missing = expected.firstIndex { $0.isSameEvent(as: produced[0]) }
        let surplus = produced.firstIndex { $0.isSameEvent(as: expected[0]) }
        switch (missing, surplus) {
        case _ where goesOnAlike, (nil, nil): return [pair()]
        case (let missing?, let surplus) where missing <= surplus ?? missing:
            return (0..<missing).map { _ in dropExpected() }
        case (_, let surplus): return (0..<(surplus ?? 0)).map { _ in dropProduced() }
        }
    }

    private mutating func pair() -> String {
        differenceCount += 1
        let (expected, produced) = (self.expected.removeFirst(), self.produced.removeFirst())
        if let problem = expected.problem { return problem }
        let (line, number) = (expected.number, produced.number)
        let place = line == number ? "line \(line)" : "line \(line) (line \(number) of the output)"
        let fields = FieldDifference.all(expected: expected.value, found: produced.value)
        guard fields.isEmpty else {
            return "\(place): \(expected.summary) differs" + fields.map { "\n  \($0)" }.joined()
        }
        let first = zip(expected.bytes, produced.bytes).prefix { $0 == $1 }.count
        return "\(place): \(expected.summary) has the same fields, written differently "
            + "from byte \(first) on"
    }

    private mutating func dropExpected() -> String {
        differenceCount += 1
        let line = expected.removeFirst()
        return line.problem ?? "line \(line.number): missing: \(line.summary)"
    }

    private mutating func dropProduced() -> String {
        differenceCount += 1
        let line = produced.removeFirst()
        return "surplus: \(line.summary) (line \(line.number) of the output)"
    }

    /// Reads ahead until `count` expected lines are buffered; returns false if the source has fewer.
    private mutating func fillExpected(to count: Int) throws -> Bool {
        while expected.count < count {
            guard let next = try nextExpected() else { return false }
            expected.append(EventLine(number: expectedNumber, bytes: next))
        }
        return true
    }

    private mutating func nextExpected() throws -> [UInt8]? {
        while let line = try source.next() {
            expectedNumber += 1
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return line }
        }
        return nil
    }
}

struct EventLine {
    let number: Int
    let bytes: [UInt8]

    let content: Result<JSONValue, JSONSyntaxError>

    init(number: Int, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
        do throws(JSONSyntaxError) {
            content = .success(try JSONReader.read(bytes))
        } catch {
            content = .failure(error)
        }
    }

    /// The JSON value; the entire line as a string if it is not JSON.
    var value: JSONValue {
        switch content {
        case .success(let value): value
        case .failure: .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Why the line is not JSON: `line 3: the expected line is not an event: …`; nil if it is JSON.
    var problem: String? {
        guard case .failure(let error) = content else { return nil }
        return "line \(number): the expected line is not an event: \(error.problem), "
            + "at byte \(error.offset)"
    }

    /// An escaped description of the event: `keywedge.scan "4006381333931" of counter`.
    var summary: String {
        let type = text("type").map(Escaping.line.escaped) ?? "an event without a type"
        let text = text("data", "text").map { " " + $0.quoted(upTo: .max) } ?? ""
        let scanner = self.text("data", "scanner", "name").map(Escaping.line.escaped)
        return type + text + (scanner.map { " of " + $0 } ?? "")
    }

    /// Whether two lines describe the same event, even if their details differ.
    ///
    /// The types must be equal. In addition, either source and id must be equal, or scanner, text and reason.
    func isSameEvent(as other: EventLine) -> Bool {
        if bytes == other.bytes { return true }
        guard let type = text("type"), type == other.text("type") else { return false }
        if let id = text("id"), id == other.text("id"), text("source") == other.text("source") {
            return true
        }
        return text("data", "text") == other.text("data", "text")
            && text("data", "scanner", "name") == other.text("data", "scanner", "name")
            && text("data", "reason") == other.text("data", "reason")
    }

    private func text(_ path: String...) -> String? {
        guard case .success(let value) = content else { return nil }
        return path.reduce(value) { $0?.object?[$1] }?.string
    }
}

package enum FieldDifference {
    /// One line for each field that differs, at any depth; in each object, expected fields come before surplus ones.
    package static func all(expected: JSONValue, found: JSONValue) -> [String] {
        var differences: [String] = []
        compare(expected, found, at: "", into: &differences)
        return differences
    }

    private static func compare(
        _ expected: JSONValue?, _ found: JSONValue?, at path: String,
        into differences: inout [String]
    ) {
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            let surplus = found.members.map(\.key).filter { expected[$0] == nil }
            for key in expected.members.map(\.key) + surplus {
                let path = path.isEmpty ? step(key) : path + "." + step(key)
                compare(expected[key], found[key], at: path, into: &differences)
            }
        case (.array(let expected), .array(let found)):
            for index in 0..<max(expected.count, found.count) {
                compare(
                    index < expected.count ? expected[index] : nil,
                    index < found.count ? found[index] : nil,
                    at: "\(path)[\(index)]", into: &differences)
            }
        default:
            guard expected != found else { return }
            differences.append(sentence(path, expected, found))
        }
    }

    /// Returns a key as part of a path: as a JSON string, unless it is a plain word.
    private static func step(_ key: String) -> String {
        key.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil ? JSONWriter.text(of: .string(key)) : key
    }

    /// One escaped line: `data.gtin: expected "04006381333931", found null`.
    ///
    /// Long values are shortened to the part around the first difference.
    private static func sentence(
        _ path: String, _ expected: JSONValue?, _ found: JSONValue?
    ) -> String {
        let (expected, found) = (text(of: expected), text(of: found))
        let common = zip(expected, found).prefix { $0 == $1 }.count
        let start = max(expected.count, found.count) > shown ? max(0, common - 20) : 0
        return "\(path.isEmpty ? "the line" : path): expected \(excerpt(expected, from: start)), "
            + "found \(excerpt(found, from: start))"
    }

    /// The maximum number of characters to show of a value.
    private static let shown = 100

    private static func text(of value: JSONValue?) -> [Character] {
        guard let value else { return Array("nothing") }
        return Array(JSONWriter.text(of: value))
    }

    private static func excerpt(_ text: [Character], from start: Int) -> String {
        let part = text.dropFirst(start).prefix(shown)
        let isCut = text.count > start + shown
        return (start > 0 ? "…" : "") + String(part) + (isCut ? "…" : "")
    }
}
