import Catalog
import HTTPCatalog
import KeywedgeTestKit

extension PresetCase {
    static let openFoodFacts = PresetCase(
        name: "openfoodfacts", settings: "", code: "3017620422003",
        requests: [
            "GET /api/v2/product/3017620422003.json?fields=code%2Cproduct_name%2Cgeneric_name%2C"
                + "brands%2Cquantity%2Ccategories_tags"
        ],
        found: [
            "/api/v2/product/3017620422003.json": .json(
                """
                {"code":"3017620422003","product":{"brands":"Nutella","categories_tags":\
                ["en:breakfasts","en:spreads"],"code":"3017620422003","generic_name":"",\
                "product_name":"Nutella","quantity":"400 g"},"status":1,"status_verbose":"product found"}
                """)
        ],
        product: Product(
            id: "3017620422003", codes: ["3017620422003"], name: "Nutella",
            attributes: ["brand": "Nutella", "category": "en:breakfasts", "quantity": "400 g"]),
        missing: [
            .json(
                #"{"code":"3017620422003","status":0,"status_verbose":"product not found"}"#,
                status: 404),
            .json(
                #"{"code":"3017620422003","status":0,"status_verbose":"no code or invalid code"}"#),
        ],
        throttled: .text("<h1>Too many requests</h1>", type: "text/html", status: 503),
        broken: [
            (.text("<html>Not found</html>", type: "text/html", status: 404), .unexpectedStatus),
            (.json(#"{"code":"4006381333931","product":{},"status":1}"#), .otherProduct),
            (ownCodeIsAnother, .otherProduct), (outerCodeIsAnother, .otherProduct),
        ])

    /// An answer like Open Food Facts's, in which the code inside the product is not the requested one.
    private static let ownCodeIsAnother = StubAnswer.json(
        """
        {"code":"3017620422003","product":{"code":"4006381333931","product_name":"Pen"},"status":1}
        """)

    /// An answer like Open Food Facts's, in which the code outside the product is not the requested one.
    private static let outerCodeIsAnother = StubAnswer.json(
        """
        {"code":"4006381333931","product":{"code":"3017620422003","product_name":"Nutella"},\
        "status":1}
        """)

    static let openFoodFactsV3 = PresetCase(
        name: "openfoodfacts-v3", settings: "", code: "3017620422003",
        requests: [
            "GET /api/v3/product/3017620422003.json?product_type=all&fields=code%2Cproduct_name%2C"
                + "generic_name%2Cbrands%2Cquantity%2Ccategories_tags"
        ],
        found: [
            "/api/v3/product/3017620422003.json": .json(
                """
                {"code":"3017620422003","errors":[],"product":{"generic_name":"Hazelnut spread",\
                "product_name":"","quantity":null},"result":{"id":"product_found","lc_name":\
                "Product found","name":"Product found"},"status":"success","warnings":[]}
                """)
        ],
        product: Product(
            id: "3017620422003", codes: ["3017620422003"], name: "Hazelnut spread"),
        missing: [
            .json(
                """
                {"code":"3017620422003","errors":[{"field":{"id":"code","value":"3017620422003"},\
                "impact":{"id":"failure"},"message":{"id":"product_not_found"}}],\
                "result":{"id":"product_not_found","name":"Product not found"},"status":"failure"}
                """, status: 404)
        ],
        throttled: StubAnswer(503),
        broken: [
            (
                .json(
                    #"{"result":{"id":"internal_error","name":"Broken"},"status":"failure"}"#,
                    status: 500), .serverError
            ),
            (.json(#"{"status":"failure","result":{"id":"other"}}"#), .otherProduct),
            (ownCodeIsAnother, .otherProduct), (outerCodeIsAnother, .otherProduct),
        ])

    static let upcItemDB = PresetCase(
        name: "upcitemdb",
        settings: """
            auth: {header: {name: user_key, value_file: "SECRET"}}, \
            request: {headers: {key_type: 3scale}}, variables: {plan: v1}
            """,
        code: "885909456017", requests: ["GET /prod/v1/lookup?upc=0885909456017"],
        header: ("user_key", "s3cret"),
        found: [
            "/prod/v1/lookup": .json(
                """
                {"code":"OK","total":1,"offset":0,"items":[{"ean":"0885909456017","title":\
                "Apple iPod Touch 32GB","upc":"885909456017","description":"","brand":"Apple",\
                "model":"MC544LL/A","color":"Black","size":"","dimension":"","weight":"",\
                "currency":"","lowest_recorded_price":3.79,"highest_recorded_price":8500}]}
                """, headers: ["X-RateLimit-Remaining": "98", "X-RateLimit-Reset": "1893456000"])
        ],
        product: Product(
            id: "0885909456017", codes: ["0885909456017", "885909456017"],
            name: "Apple iPod Touch 32GB",
            attributes: ["brand": "Apple", "color": "Black", "model": "MC544LL/A"]),
        missing: [
            .json(#"{"code":"OK","total":0,"offset":0,"items":[]}"#),
            .json(#"{"code":"NOT_FOUND","message":"No match was found"}"#, status: 404),
        ],
        throttled: .json(
            #"{"code":"EXCEED_LIMIT","message":"Exceed request limit"}"#, status: 429),
        broken: [
            (
                .json(
                    #"{"code":"INVALID_UPC","message":"Not a valid UPC code"}"#, status: 400),
                .unexpectedStatus
            ),
            (.json(#"{"code":"AUTH_ERR","message":"Bad key"}"#, status: 401), .unauthorized),
        ])

    static let gs1Resolver = PresetCase(
        name: "gs1-resolver", settings: "", code: "09506000134352",
        requests: ["GET /01/09506000134352?linkType=linkset"],
        header: ("Accept", "application/linkset+json"),
        found: [
            "/01/09506000134352": .text(
                """
                {"linkset":[{"anchor":"https://id.gs1.org/01/09506000134352","itemDescription":\
                "Dal Giardino Risotto Rice","https://gs1.org/voc/defaultLink":[{"href":\
                "https://dalgiardino.com/risotto/","title":"Risotto"}],"https://gs1.org/voc/pip":\
                [{"href":"https://dalgiardino.com/pip/","title":"Product page","type":"text/html",\
                "hreflang":["en"]}]}]}
                """, type: "application/linkset+json")
        ],
        product: Product(
            id: "https://id.gs1.org/01/09506000134352", name: "Dal Giardino Risotto Rice",
            attributes: ["page": "https://dalgiardino.com/pip/"]),
        missing: [.text("Not found", type: "text/html", status: 404)],
        throttled: StubAnswer(429),
        broken: [
            (.json(#"{"linkset":[]}"#), .otherProduct),
            (
                .json(#"{"linkset":[{"anchor":"https://id.gs1.org/01/04006381333931"}]}"#),
                .otherProduct
            ),
        ])
}
