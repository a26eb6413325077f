/// A decoder that holds the JSON it decodes, so that a JSON value can be taken from it whole.
package protocol JSONValueHolder {
    /// What is decoded.
    var heldValue: JSONValue { get }
}

/// An encoder that takes a JSON value whole.
package protocol JSONValueTaker {
    /// Takes what the value being encoded is.
    func take(_ value: JSONValue)
}

extension JSONValue: Codable {
    /// Takes the JSON a model is decoded from, digit for digit.
    ///
    /// - Throws: `DecodingError.dataCorrupted` from decoders that hold no JSON of this kind.
    public init(from decoder: any Decoder) throws {
        guard let holder = decoder as? any JSONValueHolder else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(type(of: decoder)) holds no JSONValue"))
        }
        self = holder.heldValue
    }

    /// Puts the value into the JSON a model is encoded to, digit for digit.
    ///
    /// - Throws: `EncodingError.invalidValue` from encoders that make no JSON of this kind.
    public func encode(to encoder: any Encoder) throws {
        guard let taker = encoder as? any JSONValueTaker else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "\(type(of: encoder)) takes no JSONValue"))
        }
        taker.take(self)
    }
}

extension JSONNumber: Codable {
    /// Takes a number from the JSON a model is decoded from, digit for digit.
    ///
    /// - Throws: `DecodingError.typeMismatch` for what is no number.
    public init(from decoder: any Decoder) throws {
        switch try JSONValue(from: decoder) {
        case .number(let number): self = number
        case .integer(let integer): self.init(integer)
        default:
            throw DecodingError.typeMismatch(
                JSONNumber.self,
                .init(codingPath: decoder.codingPath, debugDescription: "expected a number"))
        }
    }

    /// Puts the number into the JSON a model is encoded to, digit for digit.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.number(self).encode(to: encoder)
    }
}
