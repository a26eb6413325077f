/// The codes a catalog is tried with.
public struct EndpointCodes: Equatable, Sendable {
    /// A code the catalog should have; nil where nobody knows one.
    public var known: String?
    /// Whether that is a guess, so that not finding it says nothing.
    public var isGuess: Bool
    /// A code the catalog should not have; nil for one that fits the forms it is asked in.
    public var unknown: String?

    /// Names the codes.
    ///
    /// - Parameters:
    ///   - known: A code the catalog should have.
    ///   - isGuess: Whether that is a guess, so that not finding it says nothing.
    ///   - unknown: A code the catalog should not have.
    public init(known: String? = nil, isGuess: Bool = false, unknown: String? = nil) {
        self.known = known
        self.isGuess = isGuess
        self.unknown = unknown
    }

    /// Codes that public catalogs have, by the name of the catalog: those of the examples in their
    /// own documentation.
    private static let documented = [
        "gs1-resolver": "09506000134352", "openfoodfacts": "3017620422003",
        "upcitemdb": "885909456017",
    ]

    /// A code a public catalog has.
    ///
    /// - Parameter catalog: The catalog's name; presets have that of the service.
    /// - Returns: The code; nil for a shop's own catalog.
    public static func documented(for catalog: String) -> String? { documented[catalog] }

    /// Codes that nothing has, to be tried until one has a form the catalog is asked in.
    ///
    /// The numbers begin with 952, which GS1 keeps for demonstrations, or are the last of a range;
    /// the text is for catalogs that are asked for nothing else.
    static let unused = ["9529999999993", "0099999999990", "99999995", "keywedge-no-such-code"]
}
