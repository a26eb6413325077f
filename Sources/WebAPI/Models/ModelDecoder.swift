import FoundationEssentials
public import WireText

/// A model decoder whose errors show where in the JSON a value does not fit.
struct ModelDecoder: Sendable {
    private let root: JSONValue
    private let start: JSONPointer
    private let keys: KeyStrategy

    /// Decodes the value at `start`; `bytes` is the JSON text of `root`, if the caller has it.
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
        } catch {
            throw decoder.transformError(error, type, part)
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

    /// Returns the JSON pointer for a coding path, and the value that it points to, if any.
    fileprivate func place(_ path: [any CodingKey]) -> (pointer: JSONPointer, value: JSONValue?) {
        var place = (pointer: start, value: root[start])
        for key in path {
            var token = key.intValue.map(String.init) ?? key.stringValue
            if keys == .snakeCase, let members = place.value?.object?.members {
                let name = Self.plain(token)
                token = members.first { Self.plain($0.key) == name }?.key ?? token
            }
            place = (place.pointer.appending(token), place.value?[JSONPointer([token])])
        }
        return place
    }

    private static func plain(_ key: String) -> String { key.filter { $0 != "_" }.lowercased() }

    private func transformError<Model: Decodable>(
        _ error: any Error, _ type: Model.Type, _ part: JSONValue
    ) -> TransformError {
        switch error {
        case let error as TransformError: return error
        case DecodingError.keyNotFound(let key, let context):
            return .missingKey(name(of: key), at: place(context.codingPath).pointer)
        case DecodingError.typeMismatch(let wanted, let context),
            DecodingError.valueNotFound(let wanted, let context):
            let (pointer, found) = place(context.codingPath)
            if found == nil, let index = context.codingPath.last?.intValue {
                return .missingElement(index, at: JSONPointer(pointer.tokens.dropLast()))
            }
            return .unexpectedValue(at: pointer, expected: Self.words(wanted), found: found)
        case DecodingError.dataCorrupted(let context):
            if let misfit = Misfit(error, in: part, decode: { _ = try model(type, $0) }) {
                return .unexpectedValue(
                    at: start.appending(misfit.place), expected: misfit.expected,
                    found: misfit.number)
            }
            let (pointer, found) = place(context.codingPath)
            return .unexpectedValue(
                at: pointer, expected: Self.words(context.debugDescription), found: found)
        default:
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

    /// Extracts a description of the expected value, such as `Base64`, from Foundation's error message.
    private static func words(_ reason: String) -> String {
        if let enumeration = reason.firstMatch(of: /Cannot initialize (\S+) from invalid/) {
            return "a value of \(enumeration.1)"
        }
        return reason.contains("Base64") ? "Base64" : "a valid value: \(reason)"
    }
}

extension CodingUserInfoKey {
    fileprivate static let modelDecoder = CodingUserInfoKey(rawValue: "WebAPI.ModelDecoder")
        .unsafelyUnwrapped
}

extension TransformError {
    /// Makes an error for a model's `init(from:)` to throw if a value has the right type but is invalid.
    ///
    /// `expected` completes the message "expected …", for example with `a positive number`.
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
    /// Reads any JSON value; numbers keep all their digits.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the decoder was not created by this library.
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
    /// Reads a number with all its digits.
    ///
    /// - Throws: `DecodingError.typeMismatch` if the value is not a number; `.dataCorrupted` if the decoder was not
    ///   created by this library.
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
    /// Returns the value at a pointer; throws an error that names the first missing key or index.
    fileprivate func required(at pointer: JSONPointer) throws(TransformError) -> JSONValue {
        var (part, here) = (self, JSONPointer())
        for token in pointer.tokens {
            guard let next = part[JSONPointer([token])] else {
                switch part {
                case .object: throw .missingKey(token, at: here)
                case .array: throw .missingElement(Int(token) ?? -1, at: here)
                default: throw .unexpectedValue(at: here, expected: "an object", found: part)
                }
            }
            (part, here) = (next, here.appending(token))
        }
        return part
    }
}

/// A number that does not fit the type of its property.
///
/// Foundation does not report which number it is. A binary search finds the number: it decodes the model repeatedly,
/// with all numbers after some position replaced by zero.
struct Misfit {
    let place: JSONPointer
    let number: JSONValue
    /// A description of the numbers that would fit, such as `an integer from 0 to 255`.
    let expected: String

    /// Finds the first number that does not fit its property; nil if the error has another cause.
    init?(_ error: any Error, in part: JSONValue, decode: ([UInt8]) throws -> Void) {
        guard Self.isMisfit(error) else { return nil }
        var places: [JSONPointer] = []
        _ = part.mapNumbers { place, number in
            places.append(place)
            return number
        }
        func failure(_ change: (JSONPointer, JSONValue) -> JSONValue) -> (any Error)? {
            do {
                try decode(Array(JSONWriter.text(of: part.mapNumbers(change)).utf8))
                return nil
            } catch {
                return error
            }
        }
        var (good, bad) = (0, places.count)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            let kept = Set(places[..<middle])
            if Self.isMisfit(failure { kept.contains($0) ? $1 : .integer(0) }) {
                bad = middle
            } else {
                good = middle
            }
        }
        guard let place = places.dropFirst(good).first, let number = part[place] else { return nil }
        self.place = place
        self.number = number
        // If a Boolean replaces the number, Foundation's error names the expected type.
        let mismatch = failure { other, _ in other == place ? .bool(true) : .integer(0) }
        expected =
            if case DecodingError.typeMismatch(let type, _)? = mismatch {
                (type as? any FixedWidthInteger.Type).map { Self.range(of: $0) }
                    ?? "a smaller number"
            } else {
                "a number that fits"
            }
    }

    private static func range<T: FixedWidthInteger>(of type: T.Type) -> String {
        "an integer from \(T.min) to \(T.max)"
    }

    /// Whether Foundation's error means invalid JSON or a number that does not fit its type.
    private static func isMisfit(_ error: (any Error)?) -> Bool {
        guard case DecodingError.dataCorrupted(let context)? = error else { return false }
        return context.codingPath.isEmpty
            && context.debugDescription == "The given data was not valid JSON."
    }
}

extension JSONValue {
    /// Returns a copy with each number replaced by `change(pointer, number)`.
    fileprivate func mapNumbers(
        at place: JSONPointer = JSONPointer(), _ change: (JSONPointer, JSONValue) -> JSONValue
    ) -> JSONValue {
        switch self {
        case .integer, .number: return change(place, self)
        case .array(let elements):
            return .array(
                elements.enumerated().map {
                    $1.mapNumbers(at: place.appending(String($0)), change)
                })
        case .object(let object):
            var changed = JSONObject(capacity: object.members.count)
            for member in object.members {
                changed.append(
                    member.key, member.value.mapNumbers(at: place.appending(member.key), change))
            }
            return .object(changed)
        default: return self
        }
    }
}
