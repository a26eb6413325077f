package import WireText

/// A named value: an item of a query, form or JSON object, a header field, or an attribute.
///
/// The name has no placeholders.
package struct Named<Value: Equatable & Sendable>: Equatable, Sendable {
    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}

/// A request to a catalog, with placeholders for the code and for values known only later.
package struct RequestDeclaration: Equatable, Sendable {
    /// The content of a request; a request with content is a POST.
    package enum Body: Equatable, Sendable {
        /// `application/json`.
        case json(JSONTemplate)
        /// `application/x-www-form-urlencoded`.
        case form([Named<Template>])
        /// A GraphQL document without placeholders and its variables, as `application/json`.
        case graphQL(String, variables: JSONTemplate?)
    }

    /// The path after the catalog's URL.
    package var path: PathTemplate
    /// The placeholder whose value is the address, used instead of a path.
    ///
    /// It is a link from the first of two answers, within the catalog's own scheme, host and port.
    package var link: String?
    package var query: [Named<Template>] = []
    /// The header fields, in addition to those of the client and of authentication.
    package var headers: [Named<HeaderTemplate>] = []
    /// The body; nil makes the request a GET.
    package var body: Body?
    /// Whether a POST is only a query and can be sent again even if it arrived; a GET always can.
    package var isRepeatable = false

    package init(path: PathTemplate) { self.path = path }

    /// The names of all placeholders, in order.
    package var placeholders: [String] {
        [link].compactMap(\.self) + path.template.placeholders + query.flatMap(\.value.placeholders)
            + headers.flatMap(\.value.template.placeholders) + bodyPlaceholders
    }

    private var bodyPlaceholders: [String] {
        switch body {
        case nil: []
        case .json(let json): json.placeholders
        case .form(let fields): fields.flatMap(\.value.placeholders)
        case .graphQL(_, let variables): variables?.placeholders ?? []
        }
    }
}

/// A JSON body with placeholders in its strings.
///
/// The declaration fixes its structure: a value becomes part of a string, which is escaped when written, so it can
/// neither add a key nor end a string.
package indirect enum JSONTemplate: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number, digit for digit.
    case number(JSONNumber)
    /// A string with placeholders.
    case text(Template)
    case array([JSONTemplate])
    /// An object, in the order written.
    case object([Named<JSONTemplate>])

    var placeholders: [String] {
        switch self {
        case .null, .bool, .number: []
        case .text(let template): template.placeholders
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }

    /// The JSON with its placeholders filled in.
    func rendered(_ values: [String: String]) -> JSONValue {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .number(let number): return .number(number)
        case .text(let template): return .string(template.rendered(values))
        case .array(let elements): return .array(elements.map { $0.rendered(values) })
        case .object(let members):
            var object = JSONObject(capacity: members.count)
            for member in members { object.append(member.name, member.value.rendered(values)) }
            return .object(object)
        }
    }
}
