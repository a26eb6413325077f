/// Words of ours with texts of others in them, which are still raw: what an error carries.
///
/// It is put in words by ``description``, where the error leaves the program; only there are the
/// texts quoted and escaped.
///
///     let found: Phrase = "the text \(quoted: text)"
///
/// | in a literal | put in words |
/// |---|---|
/// | `\(quoted: text)` | between quotation marks, cut after 80 characters (`upTo:` another number) |
/// | `\(name)` | without quotation marks, escaped all the same |
/// | `\(words: sentence)` | as it is, since it was in words before |
/// | `\(phrase)` | as part of this one, its texts still raw |
public struct Phrase: Sendable {
    private enum Part: Sendable {
        case words(String)
        case name(String)
        case quoted(String, limit: Int)
    }

    private var parts: [Part] = []

    /// A phrase without words.
    public init() {}

    /// Whether there is nothing in it.
    package var isEmpty: Bool { parts.isEmpty }

    /// The phrase with other texts in it, for instance without the secrets in them.
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

    /// Two phrases one after the other.
    package static func + (first: Phrase, second: Phrase) -> Phrase {
        var phrase = first
        phrase += second
        return phrase
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    /// Makes words of ours a phrase.
    public init(stringLiteral words: String) { parts = [.words(words)] }

    /// Makes a phrase of words and texts.
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.phrase }

    /// The parts of a literal.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var phrase = Phrase()

        /// Starts a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends words of ours.
        public mutating func appendLiteral(_ words: String) { phrase.parts.append(.words(words)) }

        /// Appends a text of others, which is raw.
        ///
        /// - Parameters:
        ///   - text: The text.
        ///   - limit: After how many characters (Unicode scalars) it is cut.
        public mutating func appendInterpolation(
            quoted text: some StringProtocol, upTo limit: Int = 80
        ) {
            phrase.parts.append(.quoted(String(text), limit: limit))
        }

        /// Appends a name, which is raw and shown without quotation marks.
        public mutating func appendInterpolation(_ name: String) {
            phrase.parts.append(.name(name))
        }

        /// Appends a number.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            phrase.parts.append(.words(String(number)))
        }

        /// Appends what is in words already: a sentence of ours, or that of another error.
        public mutating func appendInterpolation(words: String) {
            phrase.parts.append(.words(words))
        }

        /// Appends a phrase, whose texts stay raw.
        public mutating func appendInterpolation(_ other: Phrase) { phrase += other }
    }
}

extension Phrase: CustomStringConvertible {
    /// The phrase in words, on one line and with nothing unsafe in it.
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
    /// Phrases are the same that read the same.
    public static func == (first: Phrase, second: Phrase) -> Bool {
        first.description == second.description
    }

    /// Hashes the phrase in words.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Sequence<Phrase> {
    /// One phrase of several.
    package func joined(separator: String) -> Phrase {
        var joined = Phrase()
        for (index, phrase) in enumerated() {
            joined += index == 0 ? phrase : "\(words: separator)\(phrase)"
        }
        return joined
    }
}

extension Int {
    /// The number with what it counts: `1 finding`, `2 findings`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
