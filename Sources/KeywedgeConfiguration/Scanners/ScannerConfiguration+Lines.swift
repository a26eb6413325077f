package import Keystrokes

extension ScannerConfiguration {
    /// The layout, and what else is not as a scanner leaves the factory, as YAML lines.
    package var lines: [String] { Self.section.changes(in: self, always: [\.layout]) }
}

extension [TerminatorConfiguration] {
    /// The key that begins or ends scans; none where there is none of the usual ones.
    ///
    /// - Parameter ends: The keys.
    package init(_ ends: ScanSettings.Terminators) {
        let known: [(KeyCode, TerminatorConfiguration)] = [
            (.enter, .enter), (.tab, .tab), (.esc, .escape),
        ]
        self = known.first { ends.keys.contains($0.0) }.map { [$0.1] } ?? []
    }
}
