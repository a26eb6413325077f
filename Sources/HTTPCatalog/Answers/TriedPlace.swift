import WireText

/// A place that was tried for a field of a product, and what it gave.
package struct TriedPlace: Hashable, Sendable {
    /// What came of it.
    package enum Outcome: Hashable, Sendable {
        /// This value.
        case gave(String)
        /// Nothing stands there.
        case missing
        /// `null` stands there, which counts as missing.
        case null
        /// A text without a character that shows stands there, which counts as missing.
        case empty
        /// Something stands there that is no text and no number.
        case otherKind(String)
        /// What stands there cannot be read.
        case unreadable(String)
    }

    /// The field: `id`, `name`, `price`, `currency`, `unit`, `codes`, `attributes.NAME`, or a
    /// placeholder of the second request in braces.
    package var field: String
    /// The place as the declaration writes it; nil for a text of the declaration.
    package var place: String?
    /// What came of it.
    package var outcome: Outcome
}

extension TriedPlace: CustomStringConvertible {
    /// The place and what came of it.
    package var description: String {
        let place = self.place.map { $0.isEmpty ? "the answer" : $0 } ?? "the declaration"
        return switch outcome {
        case .gave(let value): "\(place) gave \(value.quoted())"
        case .missing: "\(place) is missing"
        case .null: "\(place) is null"
        case .empty: "\(place) is empty"
        case .otherKind(let kind): "\(place) is \(kind), no text or number"
        case .unreadable(let reason): "\(place) cannot be read: \(reason)"
        }
    }
}

extension TriedPlace.Outcome {
    /// What came of looking for a text.
    init(_ value: JSONValue?) {
        if let text = value?.fieldText {
            self = .gave(text)
        } else {
            self.init(withoutText: value)
        }
    }

    /// What came of looking for texts.
    init(_ texts: [String], in value: JSONValue?) {
        if texts.isEmpty {
            self.init(withoutText: value)
        } else {
            self = .gave(texts.joined(separator: ", "))
        }
    }

    /// Why a value gave nothing.
    init(withoutText value: JSONValue?) {
        switch value {
        case nil: self = .missing
        case .null: self = .null
        case .string: self = .empty
        case .array(let elements) where elements.isEmpty: self = .empty
        case let other?: self = .otherKind(other.kind)
        }
    }
}
