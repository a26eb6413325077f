import WireText

extension OpenAPIDocument {
    /// What is in the answers.
    static var schemas: JSONValue {
        [
            "Product": product,
            "Products": [
                "type": "object",
                "description": "A page of products, in the order of their import.",
                "properties": [
                    "products": list(of: schema("Product")),
                    "total": ["type": "integer", "minimum": 0],
                    "next": text("The place the next page begins, for `after`; none on the last."),
                ],
                "required": ["products", "total"],
                "additionalProperties": false,
            ],
            "Lookup": [
                "type": "object",
                "description": """
                Every product with a code, the one a register takes first; none for a code \
                the catalog does not have.
                """,
                "properties": ["products": list(of: schema("Product"))],
                "required": ["products"],
                "additionalProperties": false,
            ],
            "Health": [
                "type": "object",
                "properties": ["status": ["const": "ok"]],
                "required": ["status"],
                "additionalProperties": false,
            ],
            "Problem": problem,
        ]
    }

    private static var datedPrice: JSONValue {
        [
            "type": "object",
            "properties": [
                "price": ["type": "string"], "currency": ["type": "string"],
                "valid_from": text("From this moment on (RFC 3339); ever before where left out."),
                "valid_until": text("Up to this moment, and not at it; ever on where left out."),
            ],
            "required": ["price", "currency"], "additionalProperties": false,
        ]
    }

    private static var product: JSONValue {
        [
            "type": "object",
            "description": "What the catalog does not say is left out.",
            "properties": [
                "id": text("What the shop calls it by."),
                "name": text("Its name."),
                "price": [
                    "type": "string", "pattern": "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$",
                    "description": "A decimal, never to be read as a binary floating-point number.",
                ],
                "currency": [
                    "type": "string", "pattern": "^[A-Z]{3}$",
                    "description": "The currency of the price (ISO 4217).",
                ],
                "prices": [
                    "type": "array", "items": datedPrice,
                    "description": """
                    Prices for a time, which count ahead of `price` while they hold: the first \
                    that holds. In the answer to a lookup, `price` is the one of its time already.
                    """,
                ],
                "unit": text("What the price is for."),
                "codes": list(of: text("A code as the catalog spells it.")),
                "attributes": [
                    "type": "object", "additionalProperties": ["type": "string"],
                ],
            ],
            "required": ["id"],
            "dependentRequired": ["price": ["currency"], "currency": ["price"]],
            "additionalProperties": false,
        ]
    }

    private static var problem: JSONValue {
        [
            "type": "object",
            "description": "Why there is no other answer (RFC 9457).",
            "properties": [
                "title": ["type": "string"],
                "status": ["type": "integer", "minimum": 400, "maximum": 599],
                "code": [
                    "type": "string", "pattern": "^[a-z]+(-[a-z]+)*$",
                    "description": "What it is, for programs.",
                ],
                "detail": ["type": "string", "description": "What it is, for people."],
            ],
            "required": ["title", "status", "code", "detail"],
            "additionalProperties": false,
        ]
    }

    private static func list(of items: JSONValue) -> JSONValue {
        ["type": "array", "items": items]
    }

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "minLength": 1, "description": .string(description)]
    }
}
