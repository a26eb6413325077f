import Catalog
import HTTPCatalog
import KeywedgeTestKit

extension PresetCase {
    static let square = PresetCase(
        name: "square", settings: #"auth: {bearer: {token_file: "SECRET"}}"#, code: "4006381333931",
        requests: [
            """
            POST /v2/catalog/search {"object_types":["ITEM_VARIATION"],"query":{"exact_query":\
            {"attribute_name":"upc","attribute_value":"4006381333931"}},\
            "include_related_objects":true,"limit":100}
            """
        ],
        header: ("Square-Version", "2025-10-16"),
        found: [
            "/v2/catalog/search": .json(
                """
                {"objects":[{"type":"ITEM_VARIATION","id":"V0","item_variation_data":{"item_id":\
                "I0","name":"Box","sku":"4006381333931-1","price_money":{"amount":990,"currency":\
                "USD"}}},{"type":"ITEM_VARIATION","id":"V1","item_variation_data":{"item_id":\
                "I1","name":"Yellow","sku":"PEN-Y","upc":"4006381333931","pricing_type":\
                "FIXED_PRICING","price_money":{"amount":129,"currency":"USD"}}}],\
                "related_objects":[{"type":"ITEM","id":"I0","item_data":{"name":"Box of 10"}},\
                {"type":"ITEM","id":"I1","item_data":{"name":"Highlighter"}}],\
                "latest_time":"2026-11-21T08:00:00Z"}
                """)
        ],
        product: Product(
            id: "V1", codes: ["4006381333931", "PEN-Y"], name: "Highlighter",
            price: .of("1.29", "USD"),
            attributes: ["item": "I1", "sku": "PEN-Y", "variation": "Yellow"]),
        missing: [
            .json(#"{"latest_time":"2026-11-21T08:00:00Z"}"#), .json(#"{"objects":[]}"#),
            // The requested code is only a part of this product's code.
            .json(#"{"objects":[{"id":"V1","item_variation_data":{"sku":"4006381333931-2"}}]}"#),
        ],
        throttled: .json(
            #"{"errors":[{"category":"RATE_LIMIT_ERROR","code":"RATE_LIMITED"}]}"#, status: 429),
        broken: [
            (
                .json(
                    """
                    {"errors":[{"category":"AUTHENTICATION_ERROR","code":"UNAUTHORIZED",\
                    "detail":"This request could not be authorized."}]}
                    """, status: 401), .unauthorized
            ),
            (
                .json(
                    """
                    {"errors":[{"category":"API_ERROR","code":"INTERNAL_SERVER_ERROR"}]}
                    """, status: 500), .serverError
            ),
            (
                .json(
                    """
                    {"errors":[{"category":"INVALID_REQUEST_ERROR","code":"BAD_REQUEST"}]}
                    """, status: 400), .reportedError
            ),
        ])

    static let shopify = PresetCase(
        name: "shopify", settings: #"auth: {header: {value_file: "SECRET"}}"#,
        code: "4006381333931",
        requests: [
            """
            POST /admin/api/2026-07/graphql.json {"query":"query ($search: String!) {\\u000a  \
            shop { currencyCode }\\u000a  productVariants(first: 5, query: $search) {\\u000a    \
            nodes { id sku barcode price title product { title vendor productType } }\\u000a  \
            }\\u000a}\\u000a","variables":{"search":"barcode:'4006381333931'"}}
            """
        ],
        header: ("X-Shopify-Access-Token", "s3cret"),
        found: [
            "/admin/api/2026-07/graphql.json": .json(
                """
                {"data":{"shop":{"currencyCode":"CAD"},"productVariants":{"nodes":[{"id":\
                "gid://shopify/ProductVariant/9","sku":"","barcode":"40063813339310","price":\
                "9.00","title":"Other","product":{"title":"Other"}},{"id":\
                "gid://shopify/ProductVariant/1","sku":null,"barcode":"4006381333931","price":\
                "1.29","title":"Yellow","product":{"title":"Highlighter","vendor":"Stabilo",\
                "productType":""}}]}},"extensions":{"cost":{"throttleStatus":{\
                "currentlyAvailable":1990.0}}}}
                """)
        ],
        product: Product(
            id: "gid://shopify/ProductVariant/1", codes: ["4006381333931"], name: "Highlighter",
            price: .of("1.29", "CAD"), attributes: ["variant": "Yellow", "vendor": "Stabilo"]),
        missing: [
            .json(#"{"data":{"shop":{"currencyCode":"CAD"},"productVariants":{"nodes":[]}}}"#),
            .json(
                """
                {"data":{"shop":{"currencyCode":"CAD"},"productVariants":{"nodes":[{"id":"x",\
                "barcode":"40063813339310"}]}}}
                """),
        ],
        throttled: .json(
            """
            {"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}}],"extensions":\
            {"cost":{"requestedQueryCost":14}}}
            """),
        broken: [
            (
                .json(#"{"errors":[{"message":"Field 'x' doesn't exist"}]}"#), .reportedError
            ),
            (
                .json(#"{"errors":"[API] Invalid API key or access token"}"#, status: 401),
                .unauthorized
            ),
            (.json(#"{"data":null}"#), .unusableProduct),
        ])

    static let kroger = PresetCase(
        name: "kroger",
        settings: """
            variables: {location: "01400943"}, auth: {oauth2: {token_url: \
            "URL/v1/connect/oauth2/token", client_id: keywedge, client_secret_file: "SECRET"}}
            """,
        code: "011110417008",
        requests: [
            "POST /v1/connect/oauth2/token grant_type=client_credentials&scope=product.compact",
            "GET /v1/products?filter.productId=0001111041700&filter.locationId=01400943",
        ],
        header: ("Authorization", "Bearer t0ken"),
        found: [
            "/v1/connect/oauth2/token": .json(
                #"{"access_token":"t0ken","token_type":"bearer","expires_in":1800}"#),
            "/v1/products": .json(
                """
                {"data":[{"productId":"0001111041700","upc":"0001111041700","brand":"Kroger",\
                "categories":["Dairy"],"description":"2% Reduced Fat Milk","aisleLocations":[],\
                "items":[{"itemId":"0001111041700","price":{"regular":1.99,"promo":0},"size":\
                "1/2 gal"}]}],"meta":{}}
                """),
        ],
        product: Product(
            id: "0001111041700", codes: ["0001111041700"], name: "2% Reduced Fat Milk",
            price: .of("1.99", "USD"), unit: "1/2 gal",
            attributes: ["brand": "Kroger", "category": "Dairy", "promotion": "0"]),
        missing: [.json(#"{"data":[],"meta":{}}"#)], throttled: StubAnswer(429),
        broken: [
            (
                .json(
                    #"{"errors":{"reason":"Invalid parameter","code":"PRODUCT-2011-400"}}"#,
                    status: 400), .unexpectedStatus
            ),
            (.json(#"{"data":[{"productId":"9","upc":"9"}]}"#), .otherProduct),
        ])

    static let lightspeedX = PresetCase(
        name: "lightspeed-x",
        settings: """
            auth: {bearer: {token_file: "SECRET"}}, product: {price: {currency: NZD}}
            """,
        code: "Pen-Y-42",
        requests: ["GET /api/2.0/search?type=products&sku=pen-y-42&page_size=5"],
        header: ("Authorization", "Bearer s3cret"),
        found: [
            "/api/2.0/search": .json(
                """
                {"data":[{"id":"b1e2","name":"Highlighter","variant_name":"Highlighter / Yellow",\
                "sku":"PEN-Y-42","product_codes":[{"id":"c1","type":"CUSTOM","code":"PEN-Y-42"},\
                {"id":"c2","type":"EAN","code":"4006381333931"}],"price_including_tax":2.5,\
                "price_excluding_tax":2.173913,"brand":{"id":"x","name":"Stabilo"},"supplier":\
                null}],"total_count":1}
                """)
        ],
        product: Product(
            id: "b1e2", codes: ["PEN-Y-42", "4006381333931"], name: "Highlighter",
            price: .of("2.50", "NZD"),
            attributes: ["brand": "Stabilo", "variant": "Highlighter / Yellow"]),
        missing: [.json(#"{"data":[],"total_count":0}"#)],
        throttled: StubAnswer(429, headers: ["Retry-After": "Sat, 21 Nov 2099 08:00:00 GMT"]),
        broken: [
            (.json(#"{"error":"unauthorized"}"#, status: 401), .unauthorized),
            (.json(#"{"data":[{"id":"1","sku":"other"}]}"#), .otherProduct),
        ])

    static let loyverse = PresetCase(
        name: "loyverse",
        settings: """
            auth: {bearer: {token_file: "SECRET"}}, product: {price: {currency: EUR}}
            """,
        code: "10042",
        requests: ["GET /v1.0/variants?sku=10042&limit=5", "GET /v1.0/items/i-1"],
        header: ("Authorization", "Bearer s3cret"),
        found: [
            "/v1.0/variants": .json(
                """
                {"variants":[{"variant_id":"v-1","item_id":"i-1","sku":"10042","barcode":\
                "4006381333931","option1_value":"Yellow","default_pricing_type":"FIXED",\
                "default_price":1.29,"stores":[]}]}
                """),
            "/v1.0/items/i-1": .json(
                #"{"id":"i-1","item_name":"Highlighter","reference_id":null,"category_id":"c-1"}"#),
        ],
        product: Product(
            id: "v-1", codes: ["10042", "4006381333931"], name: "Highlighter",
            price: .of("1.29", "EUR"), attributes: ["category": "c-1", "option": "Yellow"]),
        missing: [.json(#"{"variants":[]}"#)],
        throttled: .json(
            #"{"errors":[{"code":"RATE_LIMITED","details":"Too many requests"}]}"#, status: 429),
        broken: [
            (
                .json(
                    #"{"errors":[{"code":"UNAUTHORIZED","details":"Bad token"}]}"#, status: 401),
                .unauthorized
            ),
            (.json(#"{"variants":[{"variant_id":"v-1"}]}"#), .unusableProduct),
        ])
}
