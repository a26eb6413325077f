import HTTPTypes
public import WebAPI
import WireText

/// A request and what came of it.
public struct RecordedExchange: Sendable, Equatable {
    /// The request's method.
    public let method: String

    /// The request's URL, secrets left out.
    public let url: String

    /// The request's content.
    public let payload: [UInt8]

    /// What came of it, secrets in header fields left out.
    public let output: Output

    /// Takes an exchange, its secrets left out.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - output: What came of it.
    public init(_ request: Request, _ output: Output) {
        method = request.methodAndPayload.method
        url = request.location.description
        payload = request.methodAndPayload.payload?.bytes ?? []
        self.output = output.withoutSecrets
    }

    init(method: String, url: String, payload: [UInt8], output: Output) {
        self.method = method
        self.url = url
        self.payload = payload
        self.output = output
    }

    /// Whether a request is the one of this exchange, secrets aside.
    func isFor(_ request: Request) -> Bool {
        method == request.methodAndPayload.method && url == request.location.description
            && payload == request.methodAndPayload.payload?.bytes ?? []
    }
}

extension RecordedExchange {
    /// The exchange as a file has it.
    var json: JSONValue {
        var object: JSONObject = ["method": .string(method), "url": .string(url)]
        if !payload.isEmpty { object.append("payload", Self.json(payload)) }
        switch output {
        case .response(let response):
            object.append("status", .integer(Int64(response.status.code)))
            let headers = response.headers.map { field in
                JSONValue.array([.string(field.name.rawName), .string(field.value)])
            }
            object.append("headers", .array(headers))
            object.append("body", Self.json(response.payload))
        case .noResponse(let error):
            object.append("phase", .string(error.phase.rawValue))
            object.append("error", .string(error.description))
        }
        return .object(object)
    }

    /// Reads an exchange of a file.
    init?(_ json: JSONValue) {
        guard let object = json.object, let method = object["method"]?.string,
            let url = object["url"]?.string, let output = Self.output(of: object),
            let payload = object["payload"].map(Self.bytes) ?? []
        else { return nil }
        self.init(method: method, url: url, payload: payload, output: output)
    }

    private static func output(of object: JSONObject) -> Output? {
        if let text = object["error"]?.string {
            let phase = object["phase"]?.string.flatMap { ConnectionError.Phase(rawValue: $0) }
            return .noResponse(
                ConnectionError(.other, during: phase ?? .connect, underlying: "recorded: \(text)"))
        }
        guard case .integer(let code)? = object["status"], (100...999).contains(code),
            let bytes = object["body"].map(bytes) ?? []
        else { return nil }
        var headers = HTTPFields()
        for element in object["headers"]?.array ?? [] {
            guard let pair = element.array, pair.count == 2,
                let name = pair[0].string.flatMap({ HTTPField.Name($0) }),
                let value = pair[1].string
            else { return nil }
            headers.append(HTTPField(name: name, value: value))
        }
        return .response(Response(status: .init(code: Int(code)), headers: headers, payload: bytes))
    }

    /// Text where the bytes are one, else a list of numbers.
    private static func json(_ bytes: [UInt8]) -> JSONValue {
        String(validating: bytes, as: UTF8.self).map { .string($0) }
            ?? .array(bytes.map { .integer(Int64($0)) })
    }

    private static func bytes(_ json: JSONValue) -> [UInt8]? {
        switch json {
        case .string(let text): return Array(text.utf8)
        case .array(let elements):
            let bytes = elements.compactMap { element -> UInt8? in
                if case .integer(let number) = element { UInt8(exactly: number) } else { nil }
            }
            return bytes.count == elements.count ? bytes : nil
        default: return nil
        }
    }
}

extension Output {
    /// The output with the values of secret header fields left out.
    var withoutSecrets: Output {
        guard case .response(let response) = self else { return self }
        var headers = HTTPFields()
        for (field, line) in zip(response.headers, response.headers.redactedLines) {
            let isSecret = line == "\(field.name): ***"
            headers.append(isSecret ? HTTPField(name: field.name, value: "***") : field)
        }
        return .response(
            Response(status: response.status, headers: headers, payload: response.payload))
    }
}
