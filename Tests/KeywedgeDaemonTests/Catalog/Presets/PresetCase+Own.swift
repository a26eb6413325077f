import Catalog
import HTTPCatalog
import KeywedgeTestKit

extension PresetCase {
    static let grocy = PresetCase(
        name: "grocy", settings: #"auth: {header: {value_file: "SECRET"}}"#,
        code: "4006381333931",
        requests: ["GET /api/stock/products/by-barcode/4006381333931"],
        header: ("GROCY-API-KEY", "s3cret"),
        found: [
            "/api/stock/products/by-barcode/": .json(
                """
                {"product":{"id":13,"name":"Cookies","description":null,"location_id":4},\
                "product_barcodes":[{"id":1,"product_id":13,"barcode":"111"},{"id":2,"product_id":\
                13,"barcode":"4006381333931"}],"last_price":1.99,"stock_amount":5,\
                "quantity_unit_stock":{"id":3,"name":"Pack"},"location":{"id":4,"name":"Pantry"},\
                "next_due_date":"2027-01-31"}
                """)
        ],
        product: Product(
            id: "13", codes: ["111", "4006381333931"], name: "Cookies", unit: "Pack",
            attributes: ["best_before": "2027-01-31", "location": "Pantry", "stock": "5"]),
        missing: [
            .json(
                #"{"error_message":"No product with barcode 4006381333931 found"}"#, status: 400)
        ],
        throttled: StubAnswer(429),
        broken: [
            (
                .json(#"{"error_message":"Product does not exist"}"#, status: 400),
                .unexpectedStatus
            ),
            (.json(#"{"error_message":"Unauthorized"}"#, status: 401), .unauthorized),
            (.json(#"{"product":{"id":1},"product_barcodes":[]}"#), .otherProduct),
        ])

    static let inventree = PresetCase(
        name: "inventree", settings: #"auth: {header: {value_file: "SECRET"}}"#,
        code: "4006381333931",
        requests: [
            #"POST /api/barcode/ {"barcode":"4006381333931"}"#, "GET /api/part/37/",
        ],
        header: ("Authorization", "Token s3cret"),
        found: [
            "/api/barcode/": .json(
                """
                {"part":{"pk":37,"api_url":"/api/part/37/","web_url":"/part/37/"},"plugin":\
                "InvenTreeBarcode","barcode_data":"4006381333931","barcode_hash":"0123","success":\
                "Match found for barcode data"}
                """),
            "/api/part/37/": .json(
                """
                {"pk":37,"name":"Resistor","full_name":"R-10K | Resistor","IPN":"R-10K",\
                "description":"10k 1%","units":"","keywords":null,"active":true,\
                "pricing_min":"0.010000"}
                """),
        ],
        product: Product(
            id: "37", codes: ["R-10K"], name: "R-10K | Resistor",
            attributes: ["description": "10k 1%", "ipn": "R-10K"]),
        missing: [
            .json(
                """
                {"error":"No match found for barcode data","plugin":"None","barcode_data":\
                "4006381333931","barcode_hash":"0123"}
                """, status: 400)
        ],
        throttled: .json(#"{"detail":"Request was throttled."}"#, status: 429),
        broken: [
            (.json(#"{"stockitem":{"pk":3},"success":"Match found"}"#), .unusableProduct),
            (.json(#"{"pk":9,"part":{"pk":9},"barcode_data":"another"}"#), .otherProduct),
            (.json(#"{"detail":"Invalid token."}"#, status: 401), .unauthorized),
            (.json(#"{"barcode":["This field is required."]}"#, status: 400), .unexpectedStatus),
        ])

    static let odoo = PresetCase(
        name: "odoo", settings: #"auth: {bearer: {token_file: "SECRET"}}"#, code: "4006381333931",
        requests: [
            """
            POST /json/2/product.product/search_read {"domain":[["barcode","=","4006381333931"]],\
            "fields":["id","display_name","barcode","default_code","lst_price","currency_id",\
            "uom_id","categ_id"],"limit":5,"context":{"lang":"en_US"}}
            """
        ],
        header: ("Authorization", "Bearer s3cret"),
        found: [
            "/json/2/product.product/search_read": .json(
                """
                [{"id":17,"display_name":"[PEN] Highlighter","barcode":"4006381333931",\
                "default_code":"PEN","lst_price":1.29,"currency_id":[125,"EUR"],"uom_id":[1,\
                "Units"],"categ_id":false}]
                """)
        ],
        product: Product(
            id: "17", codes: ["4006381333931", "PEN"], name: "[PEN] Highlighter",
            price: .of("1.29", "EUR"), unit: "Units", attributes: ["reference": "PEN"]),
        missing: [.json("[]")], throttled: StubAnswer(429, headers: ["Retry-After": "86400"]),
        broken: [
            (
                .json(
                    #"{"name":"werkzeug.exceptions.Unauthorized","message":"Invalid apikey"}"#,
                    status: 401), .unauthorized
            ),
            (
                .json(
                    #"{"name":"builtins.ValueError","message":"Invalid field"}"#, status: 422),
                .unexpectedStatus
            ),
            (.json(#"{"result":[]}"#), .unusableProduct),
        ])

    static let wooCommerce = PresetCase(
        name: "woocommerce",
        settings: """
            auth: {basic: {user: ck_1, password_file: "SECRET"}}, product: {price: {currency: EUR}}
            """,
        code: "4006381333931",
        requests: ["GET /wp-json/wc/v3/products?sku=4006381333931&status=publish&per_page=5"],
        // ck_1:s3cret
        header: ("Authorization", "Basic Y2tfMTpzM2NyZXQ="),
        found: [
            "/wp-json/wc/v3/products": .json(
                """
                [{"id":794,"name":"Premium Quality","sku":"4006381333931","global_unique_id":"",\
                "price":"21.99","regular_price":"24.99","sale_price":"21.99","stock_status":\
                "instock","categories":[{"id":9,"name":"Clothing","slug":"clothing"}]}]
                """, headers: ["X-WP-Total": "1"])
        ],
        product: Product(
            id: "794", codes: ["4006381333931"], name: "Premium Quality",
            price: .of("21.99", "EUR"),
            attributes: [
                "category": "Clothing", "regular_price": "24.99", "stock": "instock",
            ]),
        missing: [.json("[]", headers: ["X-WP-Total": "0"])],
        throttled: .text("Too many requests", status: 429),
        broken: [
            (
                .json(
                    #"{"code":"woocommerce_rest_cannot_view","message":"Sorry","data":{"status":401}}"#,
                    status: 401), .unauthorized
            ),
            (
                .json(
                    #"{"code":"rest_no_route","message":"No route","data":{"status":404}}"#,
                    status: 404), .unexpectedStatus
            ),
            (.json(#"[{"id":1,"sku":"other"}]"#), .otherProduct),
        ])

    static let keywedge = PresetCase(
        name: "keywedge", settings: #"auth: {bearer: {token_file: "SECRET"}}"#,
        code: "4006381333931", requests: ["GET /v1/lookup?code=04006381333931"],
        header: ("Authorization", "Bearer s3cret"),
        found: [
            "/v1/lookup": .json(
                """
                {"products":[{"id":"A1","name":"Highlighter","price":"1.29","currency":"EUR",\
                "unit":"pcs","codes":["4006381333931","PEN"],"attributes":{"colour":"blue"}}]}
                """)
        ],
        product: Product(
            id: "A1", codes: ["4006381333931", "PEN"], name: "Highlighter",
            price: .of("1.29", "EUR"), unit: "pcs"),
        missing: [.json(#"{"products":[]}"#)],
        throttled: .json(
            #"{"title":"Service Unavailable","status":503,"code":"busy","detail":"later"}"#,
            status: 503),
        broken: [
            (
                .json(
                    #"{"title":"Unauthorized","status":401,"code":"no-token","detail":"…"}"#,
                    status: 401), .unauthorized
            ),
            (
                .json(
                    #"{"title":"Not Found","status":404,"code":"no-such-path","detail":"…"}"#,
                    status: 404), .unexpectedStatus
            ),
            (
                .json(#"{"products":[{"name":"no id","codes":["4006381333931"]}]}"#),
                .unusableProduct
            ),
            (.json(#"{"products":[{"id":"B2","codes":["5901234123457"]}]}"#), .otherProduct),
        ])
}
