/// An error message whose ``description`` quotes and escapes text from outside the program.
///
/// The phrase itself keeps such text unchanged. Use ``description`` only where the error leaves the program.
///
///     let found: Phrase = "the text \(quoted: text)"
///
/// | in the literal | in the description |
/// |---|---|
/// | `\(quoted: text)` | in quotation marks, escaped, shortened to 80 characters (or the number after `upTo:`) |
/// | `\(name)` | without quotation marks, but escaped |
/// | `\(words: sentence)` | unchanged, since it is already a sentence; only unsafe characters are escaped |
/// | `\(phrase)` | the parts of that phrase, each treated as above |
public struct Phrase: Sendable {
    private enum Part: Sendable {
        case words(String)
        case name(String)
        case quoted(String, limit: Int)
    }

    private var parts: [Part] = []

    /// Creates an empty phrase.
    public init() {}

    package var isEmpty: Bool { parts.isEmpty }

    /// Returns a copy in which `change` has been applied to all words and texts.
    package func mapTexts(_ change: (String) -> String) -> Phrase {
        var phrase = self
        phrase.parts = parts.map { part in
            switch part {
            case .words(let words): .words(change(words))
            case .name(let name): .name(change(name))
            case .quoted(let text, let limit): .quoted(change(text), limit: limit)
            }
        }
        return phrase
    }

    package static func += (phrase: inout Phrase, other: Phrase) {
        phrase.parts += other.parts
    }

    package static func + (first: Phrase, second: Phrase) -> Phrase {
        var phrase = first
        phrase += second
        return phrase
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    /// Creates a phrase from fixed words.
    public init(stringLiteral words: String) { parts = [.words(words)] }

    /// Creates a phrase from a literal with interpolated texts.
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.phrase }

    /// The parts of a string literal, both fixed and interpolated, that make up a phrase.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var phrase = Phrase()

        /// Creates an empty phrase; ignores both arguments.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a part of the literal that is not interpolated.
        public mutating func appendLiteral(_ words: String) { phrase.parts.append(.words(words)) }

        /// Appends text that ``description`` quotes, escapes and shortens to `limit` scalars.
        public mutating func appendInterpolation(
            quoted text: some StringProtocol, upTo limit: Int = 80
        ) {
            phrase.parts.append(.quoted(String(text), limit: limit))
        }

        /// Appends a name from outside the program; ``description`` escapes but does not quote it.
        public mutating func appendInterpolation(_ name: String) {
            phrase.parts.append(.name(name))
        }

        /// Appends a number in decimal.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            phrase.parts.append(.words(String(number)))
        }

        /// Appends words that need no quoting, such as the description of another error.
        public mutating func appendInterpolation(words: String) {
            phrase.parts.append(.words(words))
        }

        /// Appends another phrase; ``description`` quotes and escapes its texts, too.
        public mutating func appendInterpolation(_ other: Phrase) { phrase += other }
    }
}

extension Phrase: CustomStringConvertible {
    /// The phrase on one line, with its texts quoted and unsafe characters escaped.
    public var description: String {
        parts.map { part in
            switch part {
            case .words(let words): Escaping.sentence.escaped(words)
            case .name(let name): Escaping.line.escaped(name)
            case .quoted(let text, let limit): text.quoted(upTo: limit)
            }
        }.joined()
    }
}

extension Phrase: Hashable {
    /// Whether two phrases have the same description.
    public static func == (first: Phrase, second: Phrase) -> Bool {
        first.description == second.description
    }

    /// Hashes the description, because `==` compares descriptions.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Sequence<Phrase> {
    package func joined(separator: String) -> Phrase {
        var joined = Phrase()
        for (index, phrase) in enumerated() {
            joined += index == 0 ? phrase : "\(words: separator)\(phrase)"
        }
        return joined
    }
}

extension Int {
    /// Returns the number with its noun in the singular or plural: `1 finding`, `2 findings`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}

extension String {
    /// Returns the text followed by one or more spaces, at least `width` characters in total.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
