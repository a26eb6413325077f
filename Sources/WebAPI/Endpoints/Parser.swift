public import WireText

/// A parser that turns a response with an accepted status into a model.
public struct Parser<Model: Sendable>: Sendable {
    /// The value of the request's `Accept` header; nil to add no header.
    let accept: String?

    let parse: @Sendable (Response, KeyStrategy) throws(TransformError) -> Model

    /// Creates a parser from a function that returns the model or throws an error.
    ///
    /// `accept` is the request's `Accept` header, unless the call sets that header; nil to add no header.
    public init(
        accept: String? = nil,
        _ parse: @escaping @Sendable (Response) throws(TransformError) -> Model
    ) {
        self.accept = accept
        self.parse = { (response, _) throws(TransformError) in try parse(response) }
    }

    init(
        json parse: @escaping @Sendable (Response, KeyStrategy) throws(TransformError) -> Model
    ) {
        accept = "application/json"
        self.parse = parse
    }
}

extension Parser where Model: Decodable {
    /// A parser that decodes the model from JSON.
    public static var json: Parser { .json() }

    /// Makes a parser that decodes the model at `pointer` in the response's JSON.
    public static func json(at pointer: JSONPointer = []) -> Parser {
        Parser(json: { (response, keys) throws(TransformError) in
            try response.decoded(as: Model.self, at: pointer, keys: keys)
        })
    }
}

extension Parser<String> {
    /// A parser that returns the content as text, and fails if it is not UTF-8.
    public static var text: Parser {
        Parser(accept: "*/*") { (response) throws(TransformError) in try response.utf8Text() }
    }
}

extension Parser<[UInt8]> {
    /// A parser that returns the content unchanged.
    public static var bytes: Parser { Parser(accept: "*/*") { $0.payload } }
}

extension Parser<Response> {
    /// A parser that returns the response itself.
    public static var response: Parser { Parser(accept: "*/*") { $0 } }
}

extension Parser<Void> {
    /// A parser that ignores the content.
    public static var nothing: Parser { Parser(json: { _, _ in }) }
}

/// The mapping of JSON keys to the property names of models, for both decoding and encoding.
public enum KeyStrategy: Hashable, Sendable {
    /// JSON keys and property names are equal.
    case asWritten
    /// The JSON key `full_name` maps to the property `fullName`.
    case snakeCase
}
