package import Keystrokes

/// Which letters a scanner sends ahead of the data to name the symbology.
package enum CodeIdentifierConfiguration: Hashable, Sendable {
    /// None, or such that are not to be taken off.
    case none
    /// Those of Zebra's scanners.
    case zebra
    /// Those of Datalogic's scanners.
    case datalogic
    /// One's own, each with the AIM identifier it stands for, or with an empty text.
    case custom([String: String])

    /// The identifiers.
    package var identifiers: CodeIdentifiers {
        switch self {
        case .none: .none
        case .zebra: .zebra
        case .datalogic: .datalogic
        case .custom(let meanings): CodeIdentifiers(meanings)
        }
    }
}
