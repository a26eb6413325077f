package import Barcodes

/// One of the codes under which a catalog may list what was scanned.
package enum LookupKey: Hashable, Sendable {
    /// A number in whatever spelling; `text` is the one that was read, nil if the number stood in a
    /// longer text or had to be worked out.
    case gtin(GTIN, text: String?)
    /// A text, character for character.
    case text(String)
    /// A text that counts only if a single product has it.
    case unique(String)

    /// The text to ask for; nil for a number that was not read as such.
    package var text: String? {
        switch self {
        case .gtin(_, let text): text
        case .text(let text), .unique(let text): text
        }
    }

    /// The number; nil for a text.
    package var gtin: GTIN? {
        if case .gtin(let gtin, _) = self { gtin } else { nil }
    }
}

extension Barcode {
    /// The keys to look the code up under, in order: the text as it was read, then those of the
    /// likeliest reading, then those of the alternatives.
    ///
    /// Every catalog is asked for these and nothing else.
    package var lookupKeys: [LookupKey] { lookupReadings.flatMap { $0.flatMap(\.self) } }

    /// The same in rounds, by readings, the likeliest first.
    ///
    /// Of an in-store code the first round asks for its own number, which is another one on each label,
    /// the second for the item, whose answer holds for all labels.
    package var lookupReadings: [[[LookupKey]]] {
        var known: [LookupKey] = []
        let readings = [ownKeys] + reading.alternatives.map { $0.lookupRounds(read: bareText) }
        return readings.map { rounds in
            rounds.map { keys in
                keys.filter { key in
                    let isNew = !known.contains(where: key.isSame)
                    if isNew { known.append(key) }
                    return isNew
                }
            }.filter { !$0.isEmpty }
        }.filter { !$0.isEmpty }
    }

    /// The text without FNC1, which some scanners send as GS before or after it; no catalog lists that.
    private var bareText: String {
        var bare = Substring(text)
        if bare.first == "\u{1D}" { bare.removeFirst() }
        if bare.last == "\u{1D}" { bare.removeLast() }
        return bare.isEmpty ? text : String(bare)
    }

    /// The text as it was read, and the likeliest reading.
    ///
    /// If there is evidence of GS1, the number comes before the long text that contains it. A text
    /// that spells another number than its AIM identifier announces, such as an ITF-14 without its
    /// check digit, is not looked up.
    private var ownKeys: [[LookupKey]] {
        let text = bareText
        var rounds = reading.lookupRounds(read: text)
        guard let gtin = reading.gtin else {
            rounds[0].insert(.text(text), at: 0)
            // Bare digits that look like nothing else may be a PZN.
            if reading.kind == .text, let pzn = PZN(text) {
                rounds[0].append(.gtin(pzn.ntin, text: nil))
            }
            return rounds
        }
        if gtin.isSpelled(text) || aim != nil && (try? GTIN(text)) != nil { return rounds }
        rounds[0].insert(.text(text), at: reading.gs1 == nil ? 0 : rounds[0].endIndex)
        return rounds
    }
}

extension Reading {
    /// The number, then the texts under which a catalog may list the item of an in-store code: of
    /// its number without leading zeros only if that is unmistakable.
    fileprivate func lookupRounds(read text: String) -> [[LookupKey]] {
        var own: [LookupKey] = []
        if let gtin { own.append(.gtin(gtin, text: gtin.isSpelled(text) ? text : nil)) }
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
}

extension Reading {
    /// The number of another system than GS1's: a PZN in any form, since each is an NTIN as well; a
    /// health industry code with and without its flag and its check character.
    private func keys(of number: String) -> [LookupKey] {
        if kind == .hibc { return HIBC.spellings(of: number).map(LookupKey.text) }
        guard kind != .text, let pzn = PZN(number) else { return [.text(number)] }
        return [.gtin(pzn.ntin, text: nil), .text(number)]
    }
}

extension LookupKey {
    /// Whether another key finds the same products.
    fileprivate func isSame(_ other: LookupKey) -> Bool {
        self == other || gtin != nil && gtin == other.gtin
    }
}

extension GTIN {
    /// Whether a text is the number, in any spelling that a catalog's code may have.
    fileprivate func isSpelled(_ text: String) -> Bool {
        CodeKeys(text).all.contains(self.text)
    }
}
