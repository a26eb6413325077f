/// Layouts that are likelier than the configured one, and why.
public struct LayoutFinding: Hashable, Sendable {
    /// The layouts, in the order they were added.
    public let layouts: [KeyLayout]
    /// What speaks for them.
    public let evidence: LayoutSuspicion.Evidence

    /// Makes a finding.
    ///
    /// - Parameters:
    ///   - layouts: The layouts.
    ///   - evidence: What speaks for them.
    public init(layouts: [KeyLayout], evidence: LayoutSuspicion.Evidence) {
        self.layouts = layouts
        self.evidence = evidence
    }
}

extension LayoutFinding: CustomStringConvertible {
    /// One sentence for a person; it says nothing of the text, which may be confidential.
    public var description: String {
        let what =
            switch evidence {
            case .aimIdentifier: "an AIM identifier in front"
            case .digits: "a number of digits only"
            case .webAddress: "a web address"
            case .knownKey: "a character where there is none on the configured one"
            }
        let others = layouts.dropFirst().prefix(4).map(\.description).joined(separator: ", ")
        let names = layouts.first.map { $0.description + (others.isEmpty ? "" : " (or \(others))") }
        return "on layout \(names ?? "?") the same keys give \(what); the scanner may be set to it"
    }
}
