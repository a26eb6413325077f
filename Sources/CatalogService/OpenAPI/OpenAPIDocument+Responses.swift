import WireText

extension OpenAPIDocument {
    /// Header fields of answers.
    var headers: JSONValue {
        var headers: JSONObject = [
            "ETag": Self.field("Tells this content from others, for `If-None-Match`."),
            "Link": Self.field("The next page, as `rel=\"next\"` (RFC 8288); none on the last."),
            "X-Total-Count": [
                "description": "How many products there are on all pages.",
                "required": true, "schema": ["type": "integer", "minimum": 0],
            ],
            "Keywedge-Chain": Self.field(
                "Through which services the products come: their ids, this one's the last."),
            "Keywedge-Revision": Self.field("The revision of the catalog in the file."),
            "Repr-Digest": Self.field("The SHA-256 of the whole file (RFC 9530)."),
            "Content-Range": Self.field("Which bytes of the file these are."),
            "Preference-Applied": Self.field("`wait`, where the service would have waited."),
            "Allow": [
                "description": "What can be done.", "required": true,
                "schema": ["const": "GET, HEAD"],
            ],
            "Retry-After": [
                "description": "In how many seconds to try again.", "required": true,
                "schema": ["type": "integer", "minimum": 0],
            ],
        ]
        if wantsToken {
            headers.append(
                "WWW-Authenticate",
                [
                    "description": "RFC 6750, section 3.", "required": true,
                    "schema": ["type": "string"],
                ])
        }
        return .object(headers)
    }

    /// Answers that several paths give.
    var responses: JSONValue {
        var responses: JSONObject = [
            "NotModified": [
                "description": "What `If-None-Match` names still holds.",
                "headers": ["ETag": Self.reference("headers", "ETag")],
            ],
            "BadRequest": Self.problem("A parameter is wrong, missing or unknown."),
            "NoSuchProduct": Self.problem("The catalog has no product with this code."),
            "MethodNotAllowed": Self.problem("Everything can only be read.", "Allow"),
            "UnknownRevision": Self.problem(
                "The changes since this revision are not known: start anew, without `since`."),
            "NoScopedSnapshot": Self.problem(
                "What a shop has is not there as a file, but page by page."),
            "NoSuchRange": [
                "description": "The file has none of the bytes asked for.",
                "headers": ["Content-Range": Self.reference("headers", "Content-Range")],
            ],
            "Unavailable": Self.problem(
                "The catalog cannot be read at the moment, or too many are waiting.",
                "Retry-After"),
        ]
        if wantsToken {
            responses.append(
                "Unauthorized",
                Self.problem("The service wants a token, or another one.", "WWW-Authenticate"))
            responses.append("Forbidden", Self.problem("The token is that of another shop."))
        } else {
            responses.append(
                "Misdirected",
                Self.problem("Only requests to a loopback address are answered."))
        }
        return .object(responses)
    }

    /// The answers of a path: those it gives where all is well, and the problems.
    static func responses(_ good: JSONObject, _ problems: [(String, String)]) -> JSONValue {
        var all = good
        for (status, name) in problems { all.append(status, reference("responses", name)) }
        return .object(all)
    }

    /// An answer with JSON.
    static func ok(_ description: String, _ name: String, fields: [String]) -> JSONObject {
        var headers = JSONObject()
        for field in fields { headers.append(field, reference("headers", field)) }
        return [
            "description": .string(description), "headers": .object(headers),
            "content": ["application/json": ["schema": schema(name)]],
        ]
    }

    /// An answer with the file of the catalog.
    static func file(_ description: String, _ fields: [String]) -> JSONObject {
        var headers = JSONObject()
        for field in ["ETag", "Keywedge-Chain", "Keywedge-Revision", "Repr-Digest"] + fields {
            headers.append(field, reference("headers", field))
        }
        return [
            "description": .string(description), "headers": .object(headers),
            "content": [
                "application/gzip": ["schema": ["type": "string", "format": "binary"]]
            ],
        ]
    }

    private static func problem(_ description: String, _ field: String? = nil) -> JSONValue {
        var answer: JSONObject = ["description": .string(description)]
        if let field { answer.append("headers", [field: reference("headers", field)]) }
        answer.append(
            "content", ["application/problem+json": ["schema": schema("Problem")]])
        return .object(answer)
    }

    private static func field(_ description: String) -> JSONValue {
        ["description": .string(description), "schema": ["type": "string"]]
    }
}
