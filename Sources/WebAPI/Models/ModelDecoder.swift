import FoundationEssentials
public import WireText

/// Makes models of JSON by Foundation's decoder, and says of what does not fit where it is.
struct ModelDecoder: Sendable {
    private let root: JSONValue
    private let start: JSONPointer
    private let keys: KeyStrategy

    /// Makes a model of what is at `start` in JSON; `bytes` are the JSON as text, if it is at hand.
    static func decode<Model: Decodable>(
        _ type: Model.Type, from root: JSONValue, bytes: [UInt8]? = nil, at start: JSONPointer,
        keys: KeyStrategy = .asWritten
    ) throws(TransformError) -> Model {
        let part = try root.required(at: start)
        if let value = part as? Model { return value }
        let decoder = ModelDecoder(root: root, start: start, keys: keys)
        do {
            return try decoder.model(
                type, (start.tokens.isEmpty ? bytes : nil) ?? Array(JSONWriter.text(of: part).utf8))
        } catch let error as TransformError {
            throw error
        } catch let error as DecodingError {
            throw decoder.transformError(error, type, part)
        } catch {
            throw .unexpectedValue(
                at: start, expected: "a value of \(type): \(error)", found: part)
        }
    }

    private func model<Model: Decodable>(_ type: Model.Type, _ bytes: [UInt8]) throws -> Model {
        let decoder = JSONDecoder()
        if keys == .snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try? decoder.singleValueContainer().decode(String.self)
            guard let microseconds = text.flatMap(RFC3339.microseconds) else {
                throw TransformError.unexpectedValue(
                    in: decoder, expected: "a time such as 2026-11-21T08:00:00Z")
            }
            return Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        }
        decoder.userInfo[.modelDecoder] = self
        return try decoder.decode(type, from: Data(bytes))
    }

    /// What is at a path of keys: as the JSON names it, and its value.
    fileprivate func place(_ path: [any CodingKey]) -> (pointer: JSONPointer, value: JSONValue?) {
        var place = (pointer: start, value: root[start])
        for key in path {
            var token = key.intValue.map(String.init) ?? key.stringValue
            if keys == .snakeCase, let members = place.value?.object?.members {
                token = members.first { Self.isSame($0.key, token) }?.key ?? token
            }
            place = (place.pointer.appending(token), place.value?[JSONPointer([token])])
        }
        return place
    }

    private static func isSame(_ key: String, _ name: String) -> Bool {
        key == name || key.filter { $0 != "_" }.lowercased() == name.lowercased()
    }

    /// What Foundation or a model's own code threw, in our terms.
    private func transformError<Model: Decodable>(
        _ error: DecodingError, _ type: Model.Type, _ part: JSONValue
    ) -> TransformError {
        switch error {
        case .keyNotFound(let key, let context):
            return .missingKey(name(of: key), at: place(context.codingPath).pointer)
        case .typeMismatch(let wanted, let context), .valueNotFound(let wanted, let context):
            let (pointer, found) = place(context.codingPath)
            if found == nil, let index = context.codingPath.last?.intValue {
                return .missingElement(index, at: JSONPointer(pointer.tokens.dropLast()))
            }
            return .unexpectedType(at: pointer, expected: Self.words(wanted), found: found)
        case .dataCorrupted(let context):
            if let misfit = Misfit(error, in: part, decode: { _ = try model(type, $0) }) {
                return .outOfRange(
                    at: start.appending(misfit.place), expected: misfit.expected,
                    found: misfit.number)
            }
            let (pointer, found) = place(context.codingPath)
            return .unexpectedValue(
                at: pointer, expected: Self.words(context.debugDescription), found: found)
        @unknown default:
            return .unexpectedValue(
                at: start, expected: "a value of \(type): \(error)", found: part)
        }
    }

    private func name(of key: any CodingKey) -> String {
        guard keys == .snakeCase else { return key.stringValue }
        return key.stringValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    private static func words(_ type: Any.Type) -> String {
        switch type {
        case is any BinaryInteger.Type: "an integer"
        case is any BinaryFloatingPoint.Type, is Decimal.Type, is JSONNumber.Type: "a number"
        case is String.Type, is URL.Type, is Data.Type: "a text"
        case is Bool.Type: "true or false"
        case is any Collection<(key: String, value: Any)>.Type: "an object"
        case is [Any].Type: "a list"
        default: "\(type)".hasPrefix("Dictionary<") ? "an object" : "a value of \(type)"
        }
    }

    /// Why a value is refused, as it follows "expected".
    private static func words(_ reason: String) -> String {
        if let enumeration = reason.firstMatch(of: /Cannot initialize (\S+) from invalid/) {
            return "a value of \(enumeration.1)"
        }
        return reason.contains("Base64") ? "Base64" : "a valid value: \(reason)"
    }
}

extension CodingUserInfoKey {
    /// Under which a decoder holds the ``ModelDecoder`` that it belongs to.
    fileprivate static let modelDecoder = CodingUserInfoKey(rawValue: "WebAPI.ModelDecoder")
        .unsafelyUnwrapped
}

extension TransformError {
    /// The error of a model's own code for a value that is of the right type and means nothing.
    ///
    /// - Parameters:
    ///   - decoder: What the model is made of, at the value.
    ///   - expected: What was expected there, as it follows "expected".
    /// - Returns: The error to throw, with the value and its place.
    public static func unexpectedValue(
        in decoder: any Decoder, expected: String
    ) -> TransformError {
        let owner = decoder.userInfo[.modelDecoder] as? ModelDecoder
        let place = owner?.place(decoder.codingPath)
        return .unexpectedValue(
            at: place?.pointer ?? JSONPointer(), expected: expected, found: place?.value)
    }
}

extension JSONValue: Decodable {
    /// Takes the JSON that a model of this library is decoded from, digit for digit.
    ///
    /// - Throws: `DecodingError.dataCorrupted` from other decoders.
    public init(from decoder: any Decoder) throws {
        let owner = decoder.userInfo[.modelDecoder] as? ModelDecoder
        guard let value = owner?.place(decoder.codingPath).value else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "the decoder is not WebAPI's")
            )
        }
        self = value
    }
}

extension JSONNumber: Decodable {
    /// Takes a number of the JSON that a model is decoded from, digit for digit.
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
}

extension JSONValue {
    /// What is at a place, or what is missing on the way.
    fileprivate func required(at pointer: JSONPointer) throws(TransformError) -> JSONValue {
        var (part, here) = (self, JSONPointer())
        for token in pointer.tokens {
            guard let next = part[JSONPointer([token])] else {
                switch part {
                case .object: throw .missingKey(token, at: here)
                case .array: throw .missingElement(Int(token) ?? -1, at: here)
                default: throw .unexpectedType(at: here, expected: "an object", found: part)
                }
            }
            (part, here) = (next, here.appending(token))
        }
        return part
    }
}
