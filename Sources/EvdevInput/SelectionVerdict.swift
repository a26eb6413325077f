import WireText

/// Whether a device is taken for a scanner, and why or why not.
package enum SelectionVerdict: Hashable, Sendable {
    case taken(Rule)
    /// It is left alone.
    case refused(Refusal)

    /// The rule that takes a device.
    package enum Rule: Hashable, Sendable {
        /// A configured scanner matches: its position among them, and its name.
        case configured(index: Int, name: String)
        /// Nothing is configured, and a udev rule marked it.
        case marked
        /// Nothing is configured, and its maker makes scanners.
        case knownMaker(String)
    }

    /// Why a device is left alone.
    package enum Refusal: Hashable, Sendable {
        /// A rule would take it, but it cannot type a scan.
        case cannotType(KeyCapabilities)
        case matchesNoConfiguredScanner
        /// Nothing is configured, and it is neither marked nor of a known maker.
        case notKnownAsScanner
        /// Another device holds the place of the same scanner.
        case duplicate(scanner: String, of: String)
    }

    /// The rule, where it is taken.
    package var rule: Rule? {
        if case .taken(let rule) = self { rule } else { nil }
    }
}

extension SelectionVerdict: CustomStringConvertible {
    /// One clause for `devices` and the log.
    package var description: String {
        switch self {
        case .taken(let rule): "taken: \(rule)"
        case .refused(let refusal): "not taken: \(refusal)"
        }
    }
}

extension SelectionVerdict.Rule: CustomStringConvertible {
    /// The rule in words.
    package var description: String {
        switch self {
        case .configured(_, let name):
            "it matches the configured scanner \(name.quoted(upTo: .max))"
        case .marked: "a udev rule marked it as a scanner"
        case .knownMaker(let maker): "its maker makes scanners: \(maker)"
        }
    }
}

extension SelectionVerdict.Refusal: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .cannotType(let keys):
            "it cannot type a scan: expected ten digit keys and Enter, got \(keys.inWords)"
        case .matchesNoConfiguredScanner: "it matches no configured scanner"
        case .notKnownAsScanner:
            "nothing is configured, no udev rule marked it, and its maker is not known for scanners"
        case .duplicate(let scanner, let node):
            "\(node) already is the scanner \(scanner.quoted(upTo: .max));"
                + " tell the two apart by phys or uniq"
        }
    }
}

extension KeyCapabilities {
    fileprivate var inWords: String {
        switch (hasDigits, hasEnter, movesPointer) {
        case (_, _, true) where !canTypeAScan: "a pointing device"
        case (false, false, _): "neither"
        case (false, true, _): "Enter alone"
        case (true, false, _): "digits alone"
        case (true, true, _): "both"
        }
    }
}
