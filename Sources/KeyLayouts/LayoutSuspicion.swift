package import Keystrokes

/// Tells from the text of a scan whether the scanner types on another layout than is configured.
///
/// A text is turned back into the keystrokes that gave it, and those are read on other layouts. A
/// suspicion needs a reading that no accident gives: see ``Evidence-swift.enum``. The text itself is
/// never changed, and a text with nothing odd about it costs next to nothing.
///
/// Of each layout only the keys that give ASCII are kept, a few kilobytes.
package struct LayoutSuspicion: Sendable {
    /// What speaks for another layout.
    package enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// There, an AIM identifier is in front: `]E0` is read `+E0` where it is typed on `us` and
        /// read on `de`.
        case aimIdentifier = "aim-identifier"
        /// There, the text is a number of eight digits or more; here it has not one digit.
        case digits
        /// There, the text is a web address.
        case webAddress = "web-address"
        /// There, a key that means nothing here types a character, and all before it is ASCII.
        case knownKey = "known-key"
    }

    private let configured: Typist
    private let configuredLayout: KeyLayout?
    private var readers: [(layouts: [KeyLayout], reader: ASCIIReader)] = []

    /// Prepares for a scanner.
    ///
    /// - Parameter configured: The layout that is configured for it.
    package init(configured: CompiledLayout) {
        self.configured = Typist(table: configured.table, terminators: .none)
        configuredLayout = configured.layout
    }

    /// Adds a layout that the scanner could be set to; the likely ones first.
    ///
    /// - Parameter candidate: The layout.
    package mutating func add(_ candidate: CompiledLayout) {
        guard candidate.layout != configuredLayout else { return }
        let reader = ASCIIReader(candidate.table)
        if let index = readers.firstIndex(where: { $0.reader == reader }) {
            readers[index].layouts.append(candidate.layout)
        } else {
            readers.append(([candidate.layout], reader))
        }
    }

    /// The layouts that are likelier than the configured one, and why.
    ///
    /// - Parameter text: The characters typed, nothing taken off.
    /// - Returns: The strongest suspicion, or nil.
    package func finding(in text: String) -> LayoutFinding? {
        guard let keystrokes = keystrokes(for: text) else { return nil }
        let readings = readers.compactMap { layouts, reader in
            reader.read(keystrokes).map { (layouts: layouts, text: $0) }
        }
        for evidence in Evidence.allCases {
            let layouts = readings.filter { evidence.isIn($0.text, ratherThan: text) }
                .flatMap(\.layouts)
            if !layouts.isEmpty { return LayoutFinding(layouts: layouts, evidence: evidence) }
        }
        return nil
    }

    /// The layouts that are likelier than the configured one, for keys that gave no text.
    ///
    /// A layout with AltGr types keys that one without does not know, so the scan is rejected where
    /// the first of them comes.
    ///
    /// - Parameters:
    ///   - text: The characters typed before.
    ///   - keystroke: The key the configured layout does not know.
    /// - Returns: The layouts that know it and read ASCII up to it, or nil.
    package func finding(
        in text: String, before keystroke: Typist.Keystroke
    ) -> LayoutFinding? {
        guard let keystrokes = keystrokes(for: text) else { return nil }
        let layouts = readers.filter { $0.reader.read(keystrokes + [keystroke]) != nil }
            .flatMap(\.layouts)
        return layouts.isEmpty ? nil : LayoutFinding(layouts: layouts, evidence: .knownKey)
    }

    private func keystrokes(for text: String) -> [Typist.Keystroke]? {
        var keystrokes: [Typist.Keystroke] = []
        for character in text.unicodeScalars {
            guard let some = configured.keystrokes(for: character) else { return nil }
            keystrokes += some
        }
        return keystrokes
    }
}
