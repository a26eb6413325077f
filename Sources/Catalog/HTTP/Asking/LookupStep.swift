public import WebAPI

/// Something that happened while a catalog was asked, for people who want to see it.
///
/// No description shows a secret.
public enum LookupStep: Sendable {
    /// The forms in which the code is asked, in order; none where the catalog cannot have it.
    case asking(codes: [String])
    /// What was kept of an earlier answer.
    case kept(Kept)
    /// A request as it is sent.
    case sent(Request, attempt: Int)
    /// What came back, and how long it took.
    case received(Output, took: Duration)
    /// What the answer means.
    case understood(String)
    /// Which place of the answer gave which field.
    case field(name: String, place: String, value: String)
    /// A request is sent again after this time.
    case waiting(Duration)
    /// What becomes of the answer.
    case stored(freshFor: Duration)

    /// What was kept of an earlier answer.
    public enum Kept: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// An answer that still holds.
        case fresh(age: Duration)
        /// An answer that may not hold any more.
        case stale(age: Duration)
    }
}
