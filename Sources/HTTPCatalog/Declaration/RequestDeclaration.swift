/// A request to a catalog, with placeholders where the code and what else is only known later go.
package struct RequestDeclaration: Hashable, Sendable {
    /// A name with a template: of the query, of a form or of the header.
    package struct Field<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The name; it has no placeholders.
        package var name: String
        /// The value.
        package var value: Value

        /// Makes a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// What is sent in the body; a request with a body is a POST.
    package enum Body: Hashable, Sendable {
        /// `application/json`.
        case json(JSONTemplate)
        /// `application/x-www-form-urlencoded`.
        case form([Field<Template>])
        /// A GraphQL document and its variables, as `application/json`.
        case graphQL(GraphQLTemplate, variables: JSONTemplate?)
    }

    /// The path behind the catalog's URL.
    package var path: PathTemplate
    /// The placeholder whose value is the address, in the place of the path.
    ///
    /// A link that the first of two answers gives; it is followed within the catalog's own scheme,
    /// host and port.
    package var link: String?
    /// The query, in order.
    package var query: [Field<Template>]
    /// The header fields beyond those of the client and of authentication, in order.
    package var headers: [Field<HeaderTemplate>]
    /// The body; nil makes the request a GET.
    package var body: Body?
    /// Whether a request that may have arrived can be sent again: a GET always can.
    package var isRepeatable: Bool

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - path: The path behind the catalog's URL.
    ///   - link: The placeholder whose value is the address.
    ///   - query: The query.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - isRepeatable: Whether a POST that may have arrived can be sent again; it can where it
    ///     only asks.
    package init(
        path: PathTemplate, link: String? = nil, query: [Field<Template>] = [],
        headers: [Field<HeaderTemplate>] = [],
        body: Body? = nil, isRepeatable: Bool = false
    ) {
        self.path = path
        self.link = link
        self.query = query
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable || body == nil
    }

    /// The names of all placeholders, in order.
    package var placeholders: [String] {
        [link].compactMap(\.self) + path.template.placeholders + query.flatMap(\.value.placeholders)
            + headers.flatMap(\.value.template.placeholders) + (body?.placeholders ?? [])
    }
}

extension RequestDeclaration.Body {
    /// The names of the placeholders in it, in order.
    var placeholders: [String] {
        switch self {
        case .json(let json): json.templates.flatMap(\.placeholders)
        case .form(let fields): fields.flatMap(\.value.placeholders)
        case .graphQL(let document, let variables):
            document.placeholders + (variables?.templates.flatMap(\.placeholders) ?? [])
        }
    }
}
