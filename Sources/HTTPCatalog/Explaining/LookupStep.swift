import Barcodes

/// Something that happened while a source was asked, for people who want to see it.
///
/// The steps come from the code that looks up, as it goes; where nobody observes, they are not made.
/// No text of them shows a secret.
package enum LookupStep: Sendable {
    /// Is told of each step, in order.
    package typealias Observer = @Sendable (LookupStep) -> Void

    /// A form of the code, and whether the catalog is asked for it.
    case form(FormReading)
    /// What was kept of an earlier answer.
    case kept(KeptReading)
    /// Whether the catalog's rules let a request go.
    case gate(GateReading)
    /// A token was asked for; nil where one that was got before is used.
    case token(Exchange?)
    /// A request as it was sent, and what came back.
    case exchange(Exchange)
    /// A rule of the declaration was held against an answer.
    case rule(RuleReading)
    /// How many products an answer lists.
    case items(Int)
    /// The codes of a product in the answer, and whether the one asked for is among them.
    case verified(VerifyReading)
    /// A place that was tried for a field.
    case field(FieldReading)
    /// What the answer means.
    case understood(Understanding)
    /// The secrets were read again since they were refused; whether they were others.
    case reloaded(isChanged: Bool)
    /// A request is sent again after this time.
    case waiting(Duration)
    /// What becomes of the answer.
    case keeping(KeepingReading)
    /// A key of the embedded catalog that was tried.
    case key(CatalogKeyReading)
}
