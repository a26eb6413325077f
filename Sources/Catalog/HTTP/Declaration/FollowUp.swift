public import WireText

/// A second request, for what the first answer only names.
public struct FollowUp: Hashable, Sendable {
    /// What is taken from the first answer: placeholders of the second request and where their
    /// values are; the first place that is there counts.
    public struct Captured: Hashable, Sendable {
        /// The placeholder.
        public var name: String
        /// Where its value is in the first answer.
        public var places: [JSONPointer]
        /// Where the second answer repeats the value, so that it is known to be about it.
        ///
        /// The first place that is there counts; where there are no places, nothing is verified.
        public var repeated: [AnswerPlace]

        /// Makes a description of a value.
        ///
        /// - Parameters:
        ///   - name: The placeholder.
        ///   - places: Where its value is in the first answer.
        ///   - repeated: Where the second answer repeats it.
        public init(_ name: String, _ places: [JSONPointer], repeated: [AnswerPlace] = []) {
            self.name = name
            self.places = places
            self.repeated = repeated
        }
    }

    /// What is taken from the first answer.
    public var captured: [Captured]
    /// The request.
    public var request: RequestDeclaration
    /// What its answers mean.
    public var rules: AnswerRules

    /// Makes a second request.
    ///
    /// - Parameters:
    ///   - captured: What is taken from the first answer.
    ///   - request: The request.
    ///   - rules: What its answers mean.
    public init(captured: [Captured], request: RequestDeclaration, rules: AnswerRules) {
        self.captured = captured
        self.request = request
        self.rules = rules
    }
}
