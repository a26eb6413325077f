extension ConfigurationReader {
    /// The text of a scalar, whatever YAML would make of it.
    ///
    /// - Parameter expected: What the text is, in words.
    /// - Returns: The text; nil for nothing, a list or a mapping.
    func text(_ expected: String) -> String? {
        guard isUndecorated() else { return nil }
        guard case .scalar(let text, _) = tree.content, !tree.isNull else {
            report(expected: expected)
            return nil
        }
        return text
    }

    /// What a text means.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - meaning: Gives what the text means, or nil.
    /// - Returns: What the text means; nil where it means nothing.
    func value<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        guard let value = meaning(text) else {
            report(expected: expected)
            return nil
        }
        return value
    }

    /// A text of at least one character.
    func nonEmptyText() -> String? {
        value("a text of at least one character") { $0.isEmpty ? nil : $0 }
    }

    /// `true` or `false`, without quotation marks.
    func flag() -> Bool? {
        unquoted("true or false") { ["true": true, "false": false][$0] }
    }

    /// A whole number, without quotation marks.
    ///
    /// - Parameter range: The possible numbers, none below 0.
    /// - Returns: The number; nil where there is none or another.
    func number(in range: ClosedRange<Int>) -> Int? {
        unquoted("a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
                String(number) == text, range.contains(number)
            else { return nil }
            return number
        }
    }

    /// A duration.
    ///
    /// - Parameter range: The possible durations.
    /// - Returns: The duration; nil where there is none or another.
    func duration(in range: ClosedRange<Duration>) -> Duration? {
        guard let duration = value("a duration such as 500ms or 2s", DurationText.duration) else {
            return nil
        }
        guard range.contains(duration) else {
            let bounds = [range.lowerBound, range.upperBound].map(DurationText.text)
            report(expected: "a duration from \(bounds[0]) to \(bounds[1])")
            return nil
        }
        return duration
    }

    /// One of several words.
    func choice<Choice>(_: Choice.Type) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        value(Words.either(Choice.allCases.map(\.rawValue)), Choice.init(rawValue:))
    }

    private func unquoted<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        guard case .scalar(_, isPlain: true) = tree.content else {
            report(expected: expected, found: "the text \(Quoting.quoted(text))")
            return nil
        }
        return value(expected, meaning)
    }
}

extension ConfigurationReader {
    /// The path of a file: as it is where absolute, else from the configuration file's folder.
    func filePath() -> String? {
        let expected = "the path of a file, absolute or from the folder of the configuration file"
        return value(expected) { text in
            guard !text.isEmpty, !text.contains("\0"), !text.hasSuffix("/") else { return nil }
            // A shell would have put the home folder here; keywedge has none to put.
            guard !text.hasPrefix("~/") else { return nil }
            guard !text.hasPrefix("/"), !context.folder.isEmpty else { return text }
            return context.folder + (context.folder.hasSuffix("/") ? "" : "/") + text
        }
    }
}
