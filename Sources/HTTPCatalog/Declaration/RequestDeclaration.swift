package import WireText

/// A named value, such as a query item or a product's attribute; the name contains no placeholders.
package struct Named<Value: Equatable & Sendable>: Equatable, Sendable {
    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}

/// A request to a catalog, with placeholders for the code and other values.
package struct RequestDeclaration: Equatable, Sendable {
    /// A body, which makes the request a POST.
    package enum Body: Equatable, Sendable {
        /// JSON, sent as `application/json`.
        case json(JSONTemplate)
        /// Names and values, sent as `application/x-www-form-urlencoded`.
        case form([Named<Template>])
        /// A GraphQL document, which has no placeholders, and its variables, sent as `application/json`.
        case graphQL(String, variables: JSONTemplate?)
    }

    /// The path to append to the catalog's URL; not used if there is a ``link``.
    package var path: PathTemplate
    /// The name of the placeholder that contains the URL to request; nil to use ``path``.
    ///
    /// A ``FollowUp`` takes the URL from the first answer. The URL may be relative, and must have the catalog's origin.
    package var link: String?
    package var query: [Named<Template>] = []
    /// Header fields in addition to those for authentication and those that every request has.
    package var headers: [Named<HeaderTemplate>] = []
    package var body: Body?
    /// Whether a POST only reads data and can therefore be repeated as safely as a GET.
    package var isRepeatable = false

    package init(path: PathTemplate) { self.path = path }

    /// The names of all placeholders; a name used twice occurs twice.
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

/// JSON whose strings may contain placeholders.
///
/// The values of placeholders are escaped, so they cannot change the structure.
package indirect enum JSONTemplate: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number with its digits exactly as declared.
    case number(JSONNumber)
    case text(Template)
    case array([JSONTemplate])
    /// An object; its members keep their order.
    case object([Named<JSONTemplate>])

    var placeholders: [String] {
        switch self {
        case .null, .bool, .number: []
        case .text(let template): template.placeholders
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }

    /// Replaces the placeholders with values; a placeholder without a value becomes empty.
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
