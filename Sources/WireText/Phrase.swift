/// An error's words, together with texts from outside that are still raw.
///
/// ``description`` turns it into a sentence where the error leaves the program; only there are the texts
/// quoted and escaped.
///
///     let found: Phrase = "the text \(quoted: text)"
///
/// | in a literal | in the sentence |
/// |---|---|
/// | `\(quoted: text)` | in quotation marks, shortened to 80 characters (or `upTo:` another number) |
/// | `\(name)` | without quotation marks, but escaped |
/// | `\(words: sentence)` | unchanged, since it is already a sentence |
/// | `\(phrase)` | as part of this one, its texts still raw |
public struct Phrase: Sendable {
    private enum Part: Sendable {
        case words(String)
        case name(String)
        case quoted(String, limit: Int)
    }

    private var parts: [Part] = []

    /// Makes an empty phrase.
    public init() {}

    package var isEmpty: Bool { parts.isEmpty }

    /// The phrase with its texts changed, for instance with secrets removed.
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

    /// Appends a phrase, whose texts stay raw.
    package static func += (phrase: inout Phrase, other: Phrase) {
        phrase.parts += other.parts
    }

    /// Joins two phrases.
    package static func + (first: Phrase, second: Phrase) -> Phrase {
        var phrase = first
        phrase += second
        return phrase
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    /// Makes a phrase from our own words.
    public init(stringLiteral words: String) { parts = [.words(words)] }

    /// Makes a phrase from words and texts.
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.phrase }

    /// The parts of a literal.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var phrase = Phrase()

        /// Starts a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends our own words.
        public mutating func appendLiteral(_ words: String) { phrase.parts.append(.words(words)) }

        /// Appends a raw text from outside, which is quoted and shortened to `limit` Unicode scalars.
        public mutating func appendInterpolation(
            quoted text: some StringProtocol, upTo limit: Int = 80
        ) {
            phrase.parts.append(.quoted(String(text), limit: limit))
        }

        /// Appends a raw name, which is shown without quotation marks.
        public mutating func appendInterpolation(_ name: String) {
            phrase.parts.append(.name(name))
        }

        /// Appends a number.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            phrase.parts.append(.words(String(number)))
        }

        /// Appends finished words: our own sentence, or that of another error.
        public mutating func appendInterpolation(words: String) {
            phrase.parts.append(.words(words))
        }

        /// Appends a phrase, whose texts stay raw.
        public mutating func appendInterpolation(_ other: Phrase) { phrase += other }
    }
}

extension Phrase: CustomStringConvertible {
    /// The phrase as a sentence on one line, without unsafe characters.
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
    /// Whether two phrases read the same.
    public static func == (first: Phrase, second: Phrase) -> Bool {
        first.description == second.description
    }

    /// Hashes the sentence.
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
    /// The number with a noun: `1 finding`, `2 findings`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
