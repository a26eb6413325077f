package import Catalog
package import WireText

/// Something that happened while a source was asked, for people who want to see it.
///
/// Readers of answers return their steps with what they came to. All others are told as they happen,
/// and not made where nobody observes. No text of them shows a secret.
package enum LookupStep: Sendable {
    /// Is told of each step, in order.
    package typealias Observer = @Sendable (LookupStep) -> Void

    /// What happened, in words, with a label ahead of them.
    case note(_ label: String, String)
    /// A token was asked for.
    case token(Exchange)
    /// A request as it was sent, and what came back.
    case exchange(Exchange)
    /// A rule of the declaration was held against an answer: its name there, the answer, and whether
    /// it holds.
    case rule(String, AnswerRule, status: Int, JSONValue?, holds: Bool)
    /// How many products an answer lists.
    case items(Int)
    /// The codes that a product of the answer has, or what the second of two answers repeats of the
    /// first, and whether what was asked is among them; products count from 1 on.
    case verified(item: Int, has: [String], asked: String, holds: Bool)
    /// A place that was tried for a field.
    case place(TriedPlace)
    /// What an answer was taken for, with the failure where the catalog could not answer.
    case meaning(String, LookupFailure?)
}
