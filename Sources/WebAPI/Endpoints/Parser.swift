public import WireText

/// Makes a model of a response with an accepted status.
public struct Parser<Model: Sendable>: Sendable {
    /// What goes into `Accept`.
    let accept: String?

    let parse: @Sendable (Response, KeyStrategy) throws(TransformError) -> Model

    /// Makes a parser of a function.
    ///
    /// - Parameters:
    ///   - accept: What goes into `Accept` if the call does not say it; nil for no such field.
    ///   - parse: Makes the model, or says why there is none.
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
    /// Reads JSON.
    public static var json: Parser { .json() }

    /// Reads JSON in which the model is not at the top.
    ///
    /// - Parameter pointer: Where it is.
    /// - Returns: The parser.
    public static func json(at pointer: JSONPointer = JSONPointer()) -> Parser {
        Parser(json: { (response, keys) throws(TransformError) in
            try response.decoded(as: Model.self, at: pointer, keys: keys)
        })
    }
}

extension Parser<String> {
    /// Takes text in UTF-8.
    public static var text: Parser {
        Parser(accept: "*/*") { (response) throws(TransformError) in try response.utf8Text() }
    }
}

extension Parser<[UInt8]> {
    /// Takes the content as it is.
    public static var bytes: Parser { Parser(accept: "*/*") { $0.payload } }
}

extension Parser<Response> {
    /// Takes the whole response.
    public static var response: Parser { Parser(accept: "*/*") { $0 } }
}

extension Parser<Void> {
    /// Takes nothing.
    public static var nothing: Parser { Parser(json: { _, _ in }) }
}

/// How the keys of JSON become the names of a model's properties, and these keys.
public enum KeyStrategy: Hashable, Sendable {
    /// They are the same.
    case asWritten
    /// `full_name` in JSON is `fullName` in the model.
    case snakeCase
}
