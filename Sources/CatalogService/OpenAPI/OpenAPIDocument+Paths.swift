import WireText

extension OpenAPIDocument {
    /// What there is to ask for.
    var paths: JSONValue {
        [
            "/v1/products": both(
                "products", "Products, in the order of their import, page by page.",
                parameters: [Self.search, Self.after, Self.limit],
                answer: Self.ok(
                    "A page of products.", "Products", fields: ["ETag", "Link", "X-Total-Count"]),
                links: [
                    "next": Self.link(to: "products", "after", "/next"),
                    "first": Self.link(to: "product", "code", "/products/0/codes/0"),
                ],
                problems: common + Self.busy),
            "/v1/products/{code}": both(
                "product",
                """
                The product a register takes for a code: a GTIN in any spelling, a GS1 element \
                string or Digital Link, an in-store code, or a text as the catalog has it. The \
                codes `.` and `..` cannot stand in a path; `/v1/lookup` takes them.
                """,
                parameters: [Self.code(in: "path")],
                answer: Self.ok("The product.", "Product", fields: ["ETag"]),
                problems: common + [("404", "NoSuchProduct")] + Self.busy),
            "/v1/lookup": both(
                "lookup", "All products with a code, which several may share.",
                parameters: [Self.code(in: "query")],
                answer: Self.ok("The products.", "Lookup", fields: ["ETag"]),
                links: ["first": Self.link(to: "product", "code", "/products/0/codes/0")],
                problems: common + Self.busy),
            "/v1/health": both(
                "health", "Whether the catalog can be read.", parameters: [],
                answer: Self.ok("It can.", "Health", fields: []),
                problems: open + Self.busy, isOpen: true),
            "/openapi.json": both(
                "description", "This document.", parameters: [],
                answer: [
                    "description": "This document.",
                    "content": ["application/json": ["schema": ["type": "object"]]],
                ],
                problems: open, isOpen: true),
        ]
    }

    /// Problems with what is for everybody.
    private var open: [(String, String)] {
        [("304", "NotModified"), ("400", "BadRequest"), ("405", "MethodNotAllowed")]
            + (wantsToken ? [] : [("421", "Misdirected")])
    }

    /// Problems with all else.
    private var common: [(String, String)] {
        open + (wantsToken ? [("401", "Unauthorized")] : [])
    }

    private static let busy = [("503", "Unavailable")]

    /// GET and HEAD of a path; what a GET answers may lead on.
    private func both(
        _ name: String, _ summary: String, parameters: [JSONValue], answer: JSONObject,
        links: JSONObject = [:], problems: [(String, String)],
        isOpen: Bool = false
    ) -> JSONValue {
        var path = JSONObject()
        for method in ["get", "head"] {
            var operation: JSONObject = [
                "operationId": .string(method == "get" ? name : name + "-head"),
                "summary": .string(method == "get" ? summary : "The same without its content."),
            ]
            if isOpen, wantsToken { operation.append("security", .array([])) }
            if !parameters.isEmpty { operation.append("parameters", .array(parameters)) }
            var answer = answer
            if method == "get", !links.members.isEmpty {
                answer.append("links", .object(links))
            }
            operation.append("responses", Self.responses(answer, problems))
            path.append(method, .object(operation))
        }
        return .object(path)
    }

    /// A request that an answer leads on to, and what of the answer it asks with.
    private static func link(
        to operation: String, _ parameter: String, _ pointer: String
    ) -> JSONValue {
        var parameters = JSONObject()
        parameters.append(parameter, .string("$response.body#" + pointer))
        return ["operationId": .string(operation), "parameters": .object(parameters)]
    }

    private static func code(in place: String) -> JSONValue {
        [
            "name": "code", "in": .string(place), "required": true,
            "description": "The code as it was scanned, in any form.",
            "schema": [
                "type": "string", "minLength": 1,
                "maxLength": .integer(Int64(ServiceLimits.codeLength)),
            ],
            "example": "4006381333931",
        ]
    }

    private static var search: JSONValue {
        [
            "name": "search", "in": "query",
            "description": """
            Words, each of which must stand in the name or the id, or be one of the codes; \
            capital and small letters count as the same.
            """,
            "schema": [
                "type": "string", "minLength": 1,
                "maxLength": .integer(Int64(ServiceLimits.searchLength)),
            ],
        ]
    }

    private static var after: JSONValue {
        [
            "name": "after", "in": "query",
            "description": "Where the page begins: what the page before has as `next`.",
            "schema": [
                "type": "integer", "format": "int64", "minimum": 0,
                "maximum": .integer(ServiceLimits.largestNumber),
            ],
        ]
    }

    private static var limit: JSONValue {
        [
            "name": "limit", "in": "query",
            "description": "How many products a page has at the most; a page may have fewer.",
            "schema": [
                "type": "integer", "minimum": 1,
                "maximum": .integer(Int64(ServiceLimits.largestPage)),
                "default": .integer(Int64(ServiceLimits.standardPage)),
            ],
        ]
    }
}
