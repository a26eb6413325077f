package import WireText

/// A request to a catalog, with placeholders for the code and for what else is only known later.
package struct RequestDeclaration: Equatable, Sendable {
    /// A name without placeholders, and a value: of the query, of a form or of the header.
    package struct Field<Value: Equatable & Sendable>: Equatable, Sendable {
        package var name: String
        package var value: Value

        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// What is sent in the body; a request with a body is a POST.
    package enum Body: Equatable, Sendable {
        /// `application/json`.
        case json(JSONTemplate)
        /// `application/x-www-form-urlencoded`.
        case form([Field<Template>])
        /// A GraphQL document, which has no placeholders, and its variables, as `application/json`.
        case graphQL(String, variables: JSONTemplate?)
    }

    /// The path after the catalog's URL.
    package var path: PathTemplate
    /// The placeholder whose value is the address, instead of a path: a link of the first of two
    /// answers, followed within the catalog's own scheme, host and port.
    package var link: String?
    package var query: [Field<Template>] = []
    /// The header fields beyond those of the client and of authentication.
    package var headers: [Field<HeaderTemplate>] = []
    /// The body; nil makes the request a GET.
    package var body: Body?
    /// Whether a POST that may have arrived can be sent again, since it only asks; a GET always can.
    package var isRepeatable = false

    package init(path: PathTemplate) { self.path = path }

    /// The names of all placeholders, in order.
    package var placeholders: [String] {
        [link].compactMap(\.self) + path.template.placeholders + query.flatMap(\.value.placeholders)
            + headers.flatMap(\.value.template.placeholders) + (body?.placeholders ?? [])
    }
}

extension RequestDeclaration.Body {
    fileprivate var placeholders: [String] {
        switch self {
        case .json(let json): json.placeholders
        case .form(let fields): fields.flatMap(\.value.placeholders)
        case .graphQL(_, let variables): variables?.placeholders ?? []
        }
    }
}

/// A JSON body with placeholders in its texts.
///
/// The declaration fixes its structure: a value only becomes part of a text, which is escaped when it
/// is written, so no value can add a key or end a text.
package indirect enum JSONTemplate: Equatable, Sendable {
    /// One key, which has no placeholders, with its value.
    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSONTemplate

        package init(_ key: String, _ value: JSONTemplate) {
            self.key = key
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// A number, digit for digit.
    case number(JSONNumber)
    /// A text with placeholders.
    case text(Template)
    case array([JSONTemplate])
    /// An object, in the order written.
    case object([Member])

    /// The names of the placeholders in it, in order.
    var placeholders: [String] {
        switch self {
        case .null, .bool, .number: []
        case .text(let template): template.placeholders
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }

    /// The JSON with values for the placeholders.
    func rendered(_ values: [String: String]) -> JSONValue {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .number(let number): return .number(number)
        case .text(let template): return .string(template.rendered(values))
        case .array(let elements): return .array(elements.map { $0.rendered(values) })
        case .object(let members):
            var object = JSONObject(capacity: members.count)
            for member in members { object.append(member.key, member.value.rendered(values)) }
            return .object(object)
        }
    }
}
