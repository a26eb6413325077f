package import Barcodes

/// A code under which a catalog may list what was scanned.
package enum LookupKey: Hashable, Sendable {
    /// A number in any spelling; `text` is the spelling that was read, nil if the number was part of a longer
    /// text or had to be computed.
    case gtin(GTIN, text: String?)
    /// Text to be found character for character.
    case text(String)
    /// Text that finds a product only if no other product has it.
    case unique(String)

    /// The text to ask for; nil for a number that was not read as such.
    package var text: String? {
        switch self {
        case .gtin(_, let text): text
        case .text(let text), .unique(let text): text
        }
    }

    /// The number; nil for text.
    package var gtin: GTIN? { if case .gtin(let gtin, _) = self { gtin } else { nil } }
}

extension Barcode {
    /// All keys to look the code up with, in order: the text as read, the keys of the likeliest reading, and
    /// those of the alternatives.
    package var lookupKeys: [LookupKey] { lookupReadings.flatMap(\.self).flatMap(\.self) }

    /// The same keys, by reading and round.
    ///
    /// An in-store code has two rounds: the first asks for its own number, which differs on each label; the
    /// second for the item, whose answer is valid for all labels.
    package var lookupReadings: [[[LookupKey]]] {
        var known: [LookupKey] = []
        func isNew(_ key: LookupKey) -> Bool {
            // The same number in another spelling finds the same products.
            defer { known.append(key) }
            return !known.contains { $0 == key || key.gtin != nil && $0.gtin == key.gtin }
        }
        let readings = [ownKeys] + reading.alternatives.map { $0.lookupRounds(read: bareText) }
        return readings.map { $0.map { $0.filter(isNew) }.filter { !$0.isEmpty } }
            .filter { !$0.isEmpty }
    }

    /// The text without FNC1, which some scanners send as GS before or after it; catalogs list codes without it.
    private var bareText: String {
        guard text.utf8.first == 0x1D || text.utf8.last == 0x1D else { return text }
        let bare = text.trimmingPrefix("\u{1D}")
        let both = bare.last == "\u{1D}" ? bare.dropLast() : bare
        return both.isEmpty ? text : String(both)
    }

    /// The text as read, and the likeliest reading; for GS1, the number comes before the text that contains it.
    private var ownKeys: [[LookupKey]] {
        let text = bareText
        var rounds = reading.lookupRounds(read: text)
        guard reading.gtin != nil else {
            rounds[0].insert(.text(text), at: 0)
            // Bare digits that look like nothing else may be a PZN.
            if reading.kind == .text, let pzn = PZN(text) {
                rounds[0].append(.gtin(pzn.ntin, text: nil))
            }
            return rounds
        }
        // Text that spells the number already is its key. Text that spells a number other than the announced one, such
        // as an ITF-14 without its check digit, must not become a key.
        if rounds[0].first?.text != nil || aim != nil && (try? GTIN(text)) != nil { return rounds }
        rounds[0].insert(.text(text), at: reading.gs1 == nil ? 0 : rounds[0].endIndex)
        return rounds
    }
}

extension Reading {
    /// The number, then the texts under which a catalog may list the item of an in-store code.
    fileprivate func lookupRounds(read text: String) -> [[LookupKey]] {
        var own: [LookupKey] = []
        if let gtin {
            // A catalog's code may spell the number in any of these ways.
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

    /// The keys of a number that GS1 did not issue: a PZN, which is also an NTIN, or a health industry code.
    private func keys(of number: String) -> [LookupKey] {
        if kind == .hibc { return HIBC.spellings(of: number).map(LookupKey.text) }
        guard kind != .text, let pzn = PZN(number) else { return [.text(number)] }
        return [.gtin(pzn.ntin, text: nil), .text(number)]
    }
}
