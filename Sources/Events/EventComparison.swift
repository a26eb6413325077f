package import WireText

/// A comparison of events with a file of expected events, one line at a time.
///
/// Lines are equal if their bytes are equal. Unequal lines are parsed as JSON, and the fields that differ are reported.
/// Each event is searched for in the next ``window`` expected lines, so one missing or extra event does not make all
/// later events differ. Lines without a match are compared in pairs, in order. Lines stay in memory only until they are
/// compared.
///
/// Blank expected lines are skipped, but counted in line numbers.
package struct EventComparison {
    /// The number of lines to search for the next match after a difference.
    private static let window = 16

    package private(set) var equalCount = 0
    package private(set) var differenceCount = 0
    private var source: DescriptorLines
    private var expectedNumber = 0
    private var producedNumber = 0
    /// The expected lines that were read but not yet compared.
    private var expected: [EventLine] = []
    /// The produced lines for which no match has been found so far; they are compared later.
    private var produced: [EventLine] = []

    package init(expected: DescriptorLines) { source = expected }

    /// Adds the next produced line, and compares as many lines as possible.
    ///
    /// - Returns: Descriptions of the differences that are now certain; they may concern earlier lines.
    /// - Throws: Errors in reading the expected lines.
    package mutating func add(_ line: [UInt8]) throws -> [String] {
        producedNumber += 1
        produced.append(EventLine(number: producedNumber, bytes: line))
        if produced.count == 1, try fillExpected(to: 1), expected[0].bytes == line {
            return settle(1, 1)
        }
        _ = try fillExpected(to: produced.count + Self.window)
        let last = produced.count - 1
        if let match = expected.firstIndex(where: { $0.bytes == line }) {
            return settle(match, last) + settle(1, 1)
        }
        // The same code may be scanned again, so a match at another index counts only if the pair before it matches.
        let match = expected.indices.first { index in
            expected[index].isSameEvent(as: produced[last])
                && (index == last
                    || index > 0 && last > 0
                        && expected[index - 1].isSameEvent(as: produced[last - 1]))
        }
        guard let match else { return produced.count < Self.window ? [] : settle(1, 1) }
        let before = min(match, last, 1)
        return settle(match - before, last - before) + settle(before + 1, before + 1)
    }

    /// Ends the comparison after the last produced line.
    ///
    /// - Returns: Descriptions of the remaining differences, including missing lines.
    /// - Throws: Errors in reading the expected lines.
    package mutating func finish() throws -> [String] {
        var differences = settle(produced.count, produced.count)
        while try fillExpected(to: 1) { differences += settle(1, 0) }
        return differences
    }

    /// Removes the first lines of `expected` and `produced`, compares them in pairs, and describes the differences.
    private mutating func settle(_ expectedCount: Int, _ producedCount: Int) -> [String] {
        let lines = expected.prefix(expectedCount)
        let found = produced.prefix(producedCount)
        expected.removeFirst(lines.count)
        produced.removeFirst(found.count)
        let pairs = zip(lines, found)
        let differences =
            pairs.filter { $0.bytes != $1.bytes }.map { $0.difference(from: $1) }
            + lines.dropFirst(found.count).map {
                $0.problem ?? "line \($0.number): missing: \($0.summary)"
            }
            + found.dropFirst(lines.count).map {
                "surplus: \($0.summary) (line \($0.number) of the output)"
            }
        equalCount += pairs.count { $0.bytes == $1.bytes }
        differenceCount += differences.count
        return differences
    }

    /// Reads until `count` expected lines are buffered; returns false if the file ends first.
    private mutating func fillExpected(to count: Int) throws -> Bool {
        while expected.count < count {
            guard let line = try source.next() else { return false }
            expectedNumber += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            expected.append(EventLine(number: expectedNumber, bytes: line))
        }
        return true
    }
}

/// A line that contains an event, parsed only when necessary.
private final class EventLine {
    let number: Int
    let bytes: [UInt8]

    private lazy var content = Result { () throws(JSONSyntaxError) in try JSONReader.read(bytes) }

    init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }

    /// A message about the error if the line is not JSON; otherwise nil.
    var problem: String? {
        guard case .failure(let error) = content else { return nil }
        return "line \(number): the expected line is not an event: \(error.problem), "
            + "at byte \(error.offset)"
    }

    /// An escaped description of the event, such as `keywedge.scan "4006381333931" of counter`.
    var summary: String {
        let type = text(["type"]).map(Escaping.line.escaped) ?? "an event without a type"
        let text = text(["data", "text"]).map { " " + $0.quoted(upTo: .max) } ?? ""
        let scanner = self.text(["data", "scanner", "name"]).map(Escaping.line.escaped)
        return type + text + (scanner.map { " of " + $0 } ?? "")
    }

    /// Whether two lines describe the same event, even if some of their fields differ.
    ///
    /// The events must have the same type, and either the same source and ID, or the same scanner, text and reason.
    func isSameEvent(as other: EventLine) -> Bool {
        func isEqual(_ path: JSONPointer) -> Bool { text(path) == other.text(path) }
        guard text(["type"]) != nil, isEqual(["type"]) else { return false }
        return text(["id"]) != nil && isEqual(["id"]) && isEqual(["source"])
            || isEqual(["data", "text"]) && isEqual(["data", "scanner", "name"])
                && isEqual(["data", "reason"])
    }

    /// Describes how the produced line `found` differs from this expected line.
    func difference(from found: EventLine) -> String {
        if let problem { return problem }
        let place =
            number == found.number
            ? "line \(number)" : "line \(number) (line \(found.number) of the output)"
        let fields = FieldDifference.all(expected: value, found: found.value)
        guard fields.isEmpty else {
            return "\(place): \(summary) differs" + fields.map { "\n  \($0)" }.joined()
        }
        let first = zip(bytes, found.bytes).prefix { $0 == $1 }.count
        return "\(place): \(summary) has the same fields, written differently from byte \(first) on"
    }

    /// The line's JSON value, or the entire line as a string if it is not JSON.
    private var value: JSONValue {
        (try? content.get()) ?? .string(String(decoding: bytes, as: UTF8.self))
    }

    private func text(_ path: JSONPointer) -> String? { value[path]?.string }
}

package enum FieldDifference {
    /// Returns one line for each field that differs, at any depth.
    package static func all(
        expected: JSONValue?, found: JSONValue?, at path: String = ""
    ) -> [String] {
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            let surplus = found.members.map(\.key).filter { expected[$0] == nil }
            return (expected.members.map(\.key) + surplus).flatMap { key in
                all(
                    expected: expected[key], found: found[key],
                    at: path.isEmpty ? step(key) : path + "." + step(key))
            }
        case (.array(let expected), .array(let found)):
            return (0..<max(expected.count, found.count)).flatMap { index in
                all(
                    expected: expected.dropFirst(index).first,
                    found: found.dropFirst(index).first, at: "\(path)[\(index)]")
            }
        default: return expected == found ? [] : [sentence(path, expected, found)]
        }
    }

    /// Returns a key for use in a path: unchanged if it is a plain word, or else as a JSON string.
    private static func step(_ key: String) -> String {
        key.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil ? JSONWriter.text(of: .string(key)) : key
    }

    /// Returns one escaped line about a field, such as `data.gtin: expected "04006381333931", found null`.
    ///
    /// If a value has more than 100 characters, only the part around the first difference is shown.
    private static func sentence(
        _ path: String, _ expected: JSONValue?, _ found: JSONValue?
    ) -> String {
        let texts = [expected, found].map { Array($0.map(JSONWriter.text(of:)) ?? "nothing") }
        let common = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
        let start = texts.contains { $0.count > 100 } ? max(0, common - 20) : 0
        let excerpts = texts.map { text in
            (start > 0 ? "…" : "") + String(text.dropFirst(start).prefix(100))
                + (text.count > start + 100 ? "…" : "")
        }
        return "\(path.isEmpty ? "the line" : path): expected \(excerpts[0]), "
            + "found \(excerpts[1])"
    }
}
