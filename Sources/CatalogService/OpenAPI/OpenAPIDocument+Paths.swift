import Catalog
import WireText

extension OpenAPIDocument {
    /// What there is to ask for.
    var paths: JSONValue {
        [
            "/v1/products": both(
                "products", "Products, in the order of their import, page by page.",
                parameters: [Self.search, Self.after, Self.limit, Self.scope],
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
                parameters: [Self.code(in: "path"), Self.scope],
                answer: Self.ok("The product.", "Product", fields: ["ETag"]),
                problems: common + [("404", "NoSuchProduct")] + Self.busy),
            "/v1/lookup": both(
                "lookup", "All products with a code, which several may share.",
                parameters: [Self.code(in: "query"), Self.scope],
                answer: Self.ok("The products.", "Lookup", fields: ["ETag"]),
                links: ["first": Self.link(to: "product", "code", "/products/0/codes/0")],
                problems: common + Self.busy),
            "/v1/changes": both(
                "changes",
                """
                What has changed since a revision; without one, all products. With `Prefer`, where \
                nothing has changed, as soon as something has.
                """,
                parameters: [Self.since, Self.limit, Self.scope, Self.prefer],
                answer: Self.ok(
                    "A page of changes.", "Changes",
                    fields: ["ETag", "Link", "Keywedge-Chain", "Preference-Applied"]),
                links: [
                    "next": Self.link(to: "changes", "since", "/next"),
                    "later": Self.link(to: "changes", "since", "/revision"),
                    "first": Self.link(to: "product", "code", "/changed/0/codes/0"),
                ],
                problems: common + [("410", "UnknownRevision")] + Self.busy),
            "/v1/digests": both(
                "digests",
                """
                The count and digest of the products by ranges of ids, in the order of the ids' \
                bytes: whoever follows the catalog finds out where its own differs.
                """,
                parameters: [
                    Self.id(
                        "from", "The first id of the ranges; in ranges of 1000 the one it is in."),
                    Self.id("before", "The id before which the ranges end."), Self.size, Self.limit,
                    Self.scope,
                ],
                answer: Self.ok("A page of digests.", "Digests", fields: ["ETag"]),
                links: ["next": Self.link(to: "digests", "from", "/next")],
                problems: common + Self.busy),
            "/v1/snapshot": both(
                "snapshot",
                """
                The whole catalog as an SQLite file, compressed with gzip. It may be of a revision \
                that is up to a minute old; what has changed since is told by `/v1/changes`.
                """,
                parameters: [Self.scope, Self.range], answer: Self.file("All of it.", []),
                more: ["206": .object(Self.file("A part of it.", ["Content-Range"]))],
                problems: common + [("404", "NoScopedSnapshot"), ("416", "NoSuchRange")] + Self.busy
            ),
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
        open + (wantsToken ? [("401", "Unauthorized"), ("403", "Forbidden")] : [])
    }

    private static let busy = [("503", "Unavailable")]

    /// GET and HEAD of a path; what a GET answers may lead on.
    private func both(
        _ name: String, _ summary: String, parameters: [JSONValue], answer: JSONObject,
        links: JSONObject = [:], more: JSONObject = [:], problems: [(String, String)],
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
            var good: JSONObject = ["200": .object(answer)]
            for member in more.members { good.append(member.key, member.value) }
            operation.append("responses", Self.responses(good, problems))
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

    private static var since: JSONValue {
        [
            "name": "since", "in": "query",
            "description": """
            The `revision` of the last page taken, or where pages are missing, the `next` of \
            the page before.
            """,
            "schema": [
                "type": "string",
                "pattern": .string(CursorPattern.text),
                "maxLength": .integer(Int64(ServiceLimits.cursorLength)),
            ],
        ]
    }

    private static func id(_ name: String, _ description: String) -> JSONValue {
        [
            "name": .string(name), "in": "query", "description": .string(description),
            "schema": [
                "type": "string", "minLength": 1,
                "maxLength": .integer(Int64(ServiceLimits.idLength)),
            ],
        ]
    }

    private static var size: JSONValue {
        [
            "name": "size", "in": "query", "description": "How many products a range has.",
            "schema": [
                "type": "integer", "minimum": 1,
                "maximum": .integer(Int64(ServiceLimits.standardRange)),
                "default": .integer(Int64(ServiceLimits.standardRange)),
            ],
        ]
    }

    private static var scope: JSONValue {
        [
            "name": "scope", "in": "query",
            "description": """
            The shop whose assortment and prices are asked for; else that of the token, or all \
            articles with the common prices.
            """,
            "schema": [
                "type": "string", "pattern": "^[A-Za-z0-9._-]+$", "minLength": 1,
                "maxLength": .integer(Int64(CatalogScope.longest)),
            ],
        ]
    }

    private static var prefer: JSONValue {
        [
            "name": "Prefer", "in": "header",
            "description": """
            `wait=30`: how many seconds to wait for a change, at most 60 (RFC 7240, section 4.3).
            """,
            "schema": ["type": "string"],
        ]
    }

    private static var range: JSONValue {
        [
            "name": "Range", "in": "header",
            "description": "One range of bytes (RFC 9110, section 14.2); several give all of it.",
            "schema": ["type": "string"],
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

/// How a place among the changes is written.
private enum CursorPattern {
    private static let number = "(0|[1-9][0-9]{0,17})"
    static let text = "^\(number)-[0-9a-f]{16}(\\.(all|\(number))\\.\(number))?$"
}
