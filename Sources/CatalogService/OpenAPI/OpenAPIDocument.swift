import WireText

/// The description of the service that programs read: OpenAPI 3.1.
///
/// It is made of the same limits the service keeps, and tells every answer the service gives.
struct OpenAPIDocument {
    /// The version of keywedge.
    let version: String
    /// Whether clients must show a token; else they must be on the same box.
    let wantsToken: Bool

    /// The document.
    var json: JSONValue {
        var document: JSONObject = [
            "openapi": "3.1.0",
            "info": [
                "title": "keywedge catalog",
                "version": .string(version),
                "description": """
                The product catalog of a shop, for its registers. Everything can be read with GET \
                and HEAD. A parameter that is not listed is an error.
                """,
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
        ]
        if wantsToken { document.append("security", [["token": []]]) }
        document.append("paths", paths)
        document.append("components", .object(components))
        return .object(document)
    }

    private var components: JSONObject {
        var components: JSONObject = [
            "schemas": Self.schemas, "headers": headers, "responses": responses,
        ]
        if wantsToken {
            components.append("securitySchemes", ["token": ["type": "http", "scheme": "bearer"]])
        }
        return components
    }

    /// A reference to a component.
    static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// A reference to a schema.
    static func schema(_ name: String) -> JSONValue { reference("schemas", name) }
}
