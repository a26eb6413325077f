package import WireText

/// A second request, for what the first answer only names.
package struct FollowUp: Hashable, Sendable {
    /// Where a value is in the first answer.
    package enum Source: Hashable, Sendable {
        /// At a place.
        case at(JSONPointer)
        /// In that element of a list which has the code that was asked.
        case element(CodedElement)
    }

    /// The element of a list which has the code that was asked, for answers that list all products.
    ///
    /// A list without such an element says that there is no such product.
    package struct CodedElement: Hashable, Sendable {
        /// Where the list is.
        package var list: JSONPointer
        /// Where each element has its code, or a list of codes.
        package var key: JSONPointer
        /// What is taken of the element.
        package var taken: JSONPointer

        /// Makes a description of the element.
        ///
        /// - Parameters:
        ///   - list: Where the list is.
        ///   - key: Where each element has its code.
        ///   - taken: What is taken of the element.
        package init(in list: JSONPointer, where key: JSONPointer, take taken: JSONPointer) {
            self.list = list
            self.key = key
            self.taken = taken
        }
    }

    /// What is taken from the first answer: placeholders of the second request and where their
    /// values are; the first place that is there counts.
    package struct Captured: Hashable, Sendable {
        /// The placeholder.
        package var name: String
        /// Where its value is in the first answer.
        package var sources: [Source]
        /// Where the second answer repeats the value, so that it is known to be about it.
        ///
        /// The first place that is there counts; where there are no places, nothing is verified.
        package var repeated: [AnswerPlace]

        /// Makes a description of a value.
        ///
        /// - Parameters:
        ///   - name: The placeholder.
        ///   - sources: Where its value is in the first answer.
        ///   - repeated: Where the second answer repeats it.
        package init(_ name: String, _ sources: [Source], repeated: [AnswerPlace] = []) {
            self.name = name
            self.sources = sources
            self.repeated = repeated
        }
    }

    /// What is taken from the first answer.
    package var captured: [Captured]
    /// The request.
    package var request: RequestDeclaration
    /// What its answers mean.
    package var rules: AnswerRules

    /// Makes a second request.
    ///
    /// - Parameters:
    ///   - captured: What is taken from the first answer.
    ///   - request: The request.
    ///   - rules: What its answers mean.
    package init(captured: [Captured], request: RequestDeclaration, rules: AnswerRules) {
        self.captured = captured
        self.request = request
        self.rules = rules
    }
}

extension FollowUp.Source {
    /// The source for messages.
    var text: String {
        switch self {
        case .at(let pointer): pointer.description
        case .element(let element):
            "\(element.taken.description) of \(element.list.description) where "
                + "\(element.key.description) is {code}"
        }
    }
}
