import WireText

/// The answer to the first of two requests, for reading the second.
struct FirstAnswer {
    /// What the second answer says instead of a value of the first.
    struct Deviation: Equatable {
        /// The placeholder the value was taken for.
        var name: String
        /// The value the second request asked for.
        var asked: String
        /// What the second answer has in its place; nil for nothing.
        var found: String?
        /// Where it was looked for.
        var places: [String]
    }

    /// The answer.
    let document: JSONValue
    /// What was taken from it, by placeholder.
    let values: [String: String]
    /// What had to be taken from it.
    let captured: [FollowUp.Captured]

    /// Where a product of the second answer does not repeat what was asked for.
    ///
    /// - Parameters:
    ///   - documents: The answers, with the product at hand.
    ///   - number: Which product it is, from 0 on.
    ///   - steps: Gets what was held against what.
    /// - Returns: The first value that is another one; nil where all are the same.
    func deviation(
        in documents: Documents, number: Int, _ steps: inout [LookupStep]
    ) -> Deviation? {
        for value in captured where !value.repeated.isEmpty {
            let asked = values[value.name] ?? ""
            let found = value.repeated.lazy.compactMap { documents.value(at: $0)?.fieldText }.first
            let isSame = found.map { $0.utf8.elementsEqual(asked.utf8) } ?? false
            steps.append(
                .verified(
                    item: number + 1, has: found.map { [$0] } ?? [], asked: asked, holds: isSame))
            guard isSame else {
                return Deviation(
                    name: value.name, asked: asked, found: found,
                    places: value.repeated.map(\.text))
            }
        }
        return nil
    }
}
