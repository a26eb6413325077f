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
            "Unavailable": Self.problem(
                "The catalog cannot be read at the moment, or too many are waiting.",
                "Retry-After"),
        ]
        if wantsToken {
            responses.append(
                "Unauthorized",
                Self.problem("The service wants a token, or another one.", "WWW-Authenticate"))
        } else {
            responses.append(
                "Misdirected",
                Self.problem("Only requests to a loopback address are answered."))
        }
        return .object(responses)
    }

    /// The answers of a path: those it gives where all is well, and the problems.
    static func responses(_ good: JSONObject, _ problems: [(String, String)]) -> JSONValue {
        var all: JSONObject = ["200": .object(good)]
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
