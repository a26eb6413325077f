import WireText

/// Compares events as they are produced with the lines that are expected, line by line.
///
/// Lines are equal when their bytes are. Where they differ, both are read as JSON and the fields
/// named. An event that is missing or too many does not make all later ones differ: up to
/// ``window`` lines are looked at to find where both go on alike. Memory holds those lines only.
///
/// Blank lines in the expectation are skipped (and counted).
package struct EventComparison<Source: LineSource> {
    /// How many lines are looked at to find the place where both go on alike.
    package static var window: Int { 16 }

    /// How many lines were the same, byte for byte.
    package private(set) var equalCount = 0

    /// How many differences were found.
    package private(set) var differenceCount = 0

    private var source: Source
    private var expectedNumber = 0
    private var producedNumber = 0
    private var expected: [EventLine] = []
    private var produced: [EventLine] = []

    /// Makes a comparison.
    ///
    /// - Parameter expected: The lines that are expected.
    package init(expected: Source) {
        source = expected
    }

    /// Takes the next produced line.
    ///
    /// - Parameter line: The line without its end.
    /// - Returns: The differences that are certain now; they may be about earlier lines.
    /// - Throws: What the source of the expected lines throws.
    package mutating func add(_ line: [UInt8]) throws -> [EventDifference] {
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

    /// Says that no more lines are produced.
    ///
    /// - Returns: The differences not told yet, missing lines among them.
    /// - Throws: What the source of the expected lines throws.
    package mutating func finish() throws -> [EventDifference] {
        var differences = try settle(while: { $0 > 0 })
        while try fillExpected(to: 1) { differences.append(dropExpected()) }
        return differences
    }

    /// Settles produced lines from the front, as long as enough of them wait.
    private mutating func settle(while isEnough: (Int) -> Bool) throws -> [EventDifference] {
        var differences: [EventDifference] = []
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

    /// Decides what the first two lines, which tell of different events, are to each other.
    private mutating func realign() throws -> [EventDifference] {
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

    private mutating func pair() -> EventDifference {
        differenceCount += 1
        let (expected, produced) = (self.expected.removeFirst(), self.produced.removeFirst())
        if case .failure(let problem) = expected.content {
            return .invalidExpected(expectedLine: expected.number, problem: problem)
        }
        let fields = FieldDifference.all(expected: expected.value, found: produced.value)
        guard fields.isEmpty else {
            return .changed(
                expectedLine: expected.number, producedLine: produced.number,
                event: expected.summary, fields: fields)
        }
        return .spelling(
            expectedLine: expected.number, producedLine: produced.number,
            event: expected.summary,
            firstByte: zip(expected.bytes, produced.bytes).prefix { $0 == $1 }.count)
    }

    private mutating func dropExpected() -> EventDifference {
        differenceCount += 1
        let line = expected.removeFirst()
        guard case .failure(let problem) = line.content else {
            return .missing(expectedLine: line.number, event: line.summary)
        }
        return .invalidExpected(expectedLine: line.number, problem: problem)
    }

    private mutating func dropProduced() -> EventDifference {
        differenceCount += 1
        let line = produced.removeFirst()
        return .surplus(producedLine: line.number, event: line.summary)
    }

    /// Reads ahead; returns false where there are fewer lines.
    private mutating func fillExpected(to count: Int) throws -> Bool {
        while expected.count < count {
            guard let next = try nextExpected() else { return false }
            expected.append(EventLine(number: expectedNumber, bytes: next))
        }
        return true
    }

    /// Reads the next line that is not blank.
    private mutating func nextExpected() throws -> [UInt8]? {
        while let line = try source.next() {
            expectedNumber += 1
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return line }
        }
        return nil
    }
}

/// One line of events, read back.
struct EventLine {
    let number: Int
    let bytes: [UInt8]

    /// The value, or why it is none.
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

    /// The value; a line that is no JSON counts as a text.
    var value: JSONValue {
        switch content {
        case .success(let value): value
        case .failure: .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Which event it is, in words and escaped: `keywedge.scan "4006381333931" of counter`.
    var summary: String {
        let type = text("type").map(Escaping.line.escaped) ?? "an event without a type"
        let text = text("data", "text").map { " " + $0.quoted(upTo: .max) } ?? ""
        let scanner = self.text("data", "scanner", "name").map(Escaping.line.escaped)
        return type + text + (scanner.map { " of " + $0 } ?? "")
    }

    /// Says whether two lines tell of the same happening, even if not in the same words.
    ///
    /// Either they have the same id, or the same type, scanner, text and reason.
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
