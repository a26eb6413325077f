package import Barcodes

/// A code under which a catalog may list the scanned item.
package enum LookupKey: Hashable, Sendable {
    /// A GTIN, which matches a code in any spelling.
    ///
    /// `text` is its spelling in the scan or, for an in-store item, in a listing; nil without one, as for a PZN's NTIN.
    case gtin(GTIN, text: String?)
    /// A text to look up as it is, not as a GTIN.
    case text(String)
    /// A text to look up as it is; a match counts only if exactly one product has the text as a code.
    case unique(String)

    /// The text to look up; nil for a GTIN without a known spelling, such as the NTIN of a PZN.
    package var text: String? {
        switch self {
        case .gtin(_, let text): text
        case .text(let text), .unique(let text): text
        }
    }

    package var gtin: GTIN? { if case .gtin(let gtin, _) = self { gtin } else { nil } }
}

extension Barcode {
    /// All lookup keys in order, those of the text and its likeliest reading first.
    package var lookupKeys: [LookupKey] { lookupReadings.flatMap(\.self).flatMap(\.self) }

    /// The ``lookupKeys``, grouped by the possible meanings (readings) of the code, and then by round.
    ///
    /// Rounds are tried one after another. Only an in-store code has two. The first contains the keys of the number on
    /// the label, which differs from label to label; the second, those of the item, the same for all its labels.
    package var lookupReadings: [[[LookupKey]]] {
        var known: [LookupKey] = []
        func isNew(_ key: LookupKey) -> Bool {
            // A GTIN finds the same products in any spelling.
            defer { known.append(key) }
            return !known.contains { $0 == key || key.gtin != nil && $0.gtin == key.gtin }
        }
        let readings = [ownKeys] + reading.alternatives.map { $0.lookupRounds(read: bareText) }
        return readings.map { $0.map { $0.filter(isNew) }.filter { !$0.isEmpty } }
            .filter { !$0.isEmpty }
    }

    /// The text without a leading or trailing FNC1, which some scanners send as GS and catalogs omit.
    private var bareText: String {
        guard text.utf8.first == 0x1D || text.utf8.last == 0x1D else { return text }
        let bare = text.trimmingPrefix("\u{1D}")
        let both = bare.last == "\u{1D}" ? bare.dropLast() : bare
        return both.isEmpty ? text : String(both)
    }

    /// The lookup keys of the text and its likeliest reading, as lists to be tried one after another.
    private var ownKeys: [[LookupKey]] {
        let text = bareText
        var rounds = reading.lookupRounds(read: text)
        guard reading.gtin != nil else {
            rounds[0].insert(.text(text), at: 0)
            // Digits that have no other meaning may be a PZN.
            if reading.kind == .text, let pzn = PZN(text) {
                rounds[0].append(.gtin(pzn.ntin, text: nil))
            }
            return rounds
        }
        // Text that spells the reading's GTIN is a key already. Text that spells a different GTIN, such as an ITF-14
        // without its check digit, must not become a key.
        if rounds[0].first?.text != nil || aim != nil && (try? GTIN(text)) != nil { return rounds }
        rounds[0].insert(.text(text), at: reading.gs1 == nil ? 0 : rounds[0].endIndex)
        return rounds
    }
}

extension Reading {
    /// Returns the lookup keys in rounds: first those of the code itself, then those of an in-store code's item.
    fileprivate func lookupRounds(read text: String) -> [[LookupKey]] {
        var own: [LookupKey] = []
        if let gtin {
            // The text is a spelling of the GTIN if a catalog's code with this text has the GTIN as a key.
            let isSpelled = CodeKeys(text).all.contains(gtin.text)
            own.append(.gtin(gtin, text: isSpelled ? text : nil))
        }
        own += self.number.map(keys) ?? []
        guard let inStore = self.inStore else { return [own] }
        var item: [LookupKey] = inStore.listings.map { listing in
            (try? GTIN(listing)).map { .gtin($0, text: listing) } ?? .text(listing)
        }
        if let number = inStore.item, number.hasPrefix("0") {
            let short = String(number.drop { $0 == "0" })
            if !short.isEmpty { item.append(.unique(short)) }
        }
        return [own, item]
    }

    /// Returns the keys of a number that is not a GTIN; for a PZN, they include its NTIN, which is a GTIN.
    private func keys(of number: String) -> [LookupKey] {
        if kind == .hibc { return HIBC.spellings(of: number).map(LookupKey.text) }
        guard kind != .text, let pzn = PZN(number) else { return [.text(number)] }
        return [.gtin(pzn.ntin, text: nil), .text(number)]
    }
}
