import HTTPCatalog
import Testing
import WebAPI
import WireText

@testable import KeywedgeConfiguration

@Suite struct CatalogDeclarationTests {
    static let whole = """
        catalog:
          answers: answers.sqlite
          sources:
            - embedded: catalog.sqlite
            - http:
                name: shop
                url: https://shop.example/api/
                auth: {header: {name: X-Key, prefix: "Token ", value_file: "credential:shop"}}
                tls: {ca_file: ca.pem, only_ca_file: true, minimum: "1.3",
                      pinned_keys: "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="}
                codes: {ask: [gtin-13, lower-case], characters: token, max_length: 40}
                variables: {shop: "12"}
                request:
                  path: /shops/{shop}/{code}
                  query: {fields: all}
                  headers: {X-Code: "{code}"}
                  json: {q: ["{code}", 1, 1.50, true, null, "1"]}
                  repeatable: true
                not_found:
                  any: [{status: [404, 410-412]}, {status: 200, at: /n, equals: 0}]
                failed: {at: /error, present: true}
                throttled: {all: [{status: 200}, {at: /wait, missing: true}]}
                messages: [/error, /msg]
                then: {with: {id: [/id, /pk]}, request: {path: "/items/{id}"},
                       verify: {id: [/id, "#/items/0/id"]}}
                product:
                  items: ""
                  id: /id
                  codes: [/ean, {each: /codes, take: /code}]
                  name: [/name, "first#/name"]
                  price: {amount: /price, minor_units: true, currency: ["#/currency", EUR]}
                  unit: [{each: "#/units", where: /no, is: /unit, take: /name}, pcs]
                  attributes: {brand: /brand}
                  verify: {codes: /ean, otherwise: not-found, every: true}
                rate_limit: {remaining: X-Left, reset: X-Reset, reset_unit: epoch-seconds}
                redirects: refuse
                max_answer: 65536
                attempt_timeout: 300ms
                connect_timeout: 200ms
                attempts: 3
                backoff: 50ms
                retry_tokens: 20
                breaker: {window: 10s, min_calls: 3, failure_percent: 40, open_for: 1s,
                          open_at_most: 30s}
                cache: {fresh: 1min, stale_while_revalidate: 1h, stale_if_error: 1d,
                        not_found: 10s, entries: 5, obey_headers: false}
                quota: {requests: 60, per: 1min}
        """

    @Test func aWholeDeclarationIsRead() throws {
        let text = Self.whole
        let configuration = try Configuration.parse(text: text, file: "/etc/k.yaml")
        #expect(configuration.catalog.answers == "/etc/answers.sqlite")
        guard case .http(let catalog) = configuration.catalog.sources.last else {
            Issue.record("no catalog")
            return
        }
        #expect(catalog == (try expected()))
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "x.yaml") == configuration)
    }

    @Test func aSecondRequestMayFollowALinkOfTheElementWithTheCode() throws {
        let text = Self.whole.replacing(
            #"{id: [/id, /pk]}, request: {path: "/items/{id}"}"#,
            with: #"{id: [/n, {each: /all, where: /ean, is: "{code}", take: /href}]}, "#
                + #"request: {link: "{id}", query: {q: "{code}"}}"#
        ).replacing("path: /shops/{shop}/{code}", with: "path: /all").replacing(
            #"headers: {X-Code: "{code}"}"#, with: "headers: {X-Shop: \"{shop}\"}"
        ).replacing(#"["{code}", 1"#, with: "[1, 1")
        let configuration = try Configuration.parse(text: text, file: "/etc/k.yaml")
        guard case .http(let catalog) = configuration.catalog.sources.last else {
            Issue.record("no catalog")
            return
        }
        let followUp = try #require(catalog.declaration.followUp)
        #expect(
            followUp.captured.first?.places == [
                place("/n"),
                .element(
                    of: place("/all"), where: pointer("/ean"), is: nil, take: pointer("/href")),
            ])
        #expect(followUp.request.link == "id")
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "x.yaml") == configuration)
    }

    @Test func aKeyInTheQueryIsRead() throws {
        let text = Self.whole.replacing(
            #"{header: {name: X-Key, prefix: "Token ", value_file: "credential:shop"}}"#,
            with: #"{query: {name: pw, value_file: "shop.key"}}"#)
        let configuration = try Configuration.parse(text: text, file: "/etc/k.yaml")
        guard case .http(let catalog) = configuration.catalog.sources.last else {
            Issue.record("no catalog")
            return
        }
        #expect(
            catalog.declaration.authentication
                == .query(name: "pw", secret: .file(path: "/etc/shop.key")))
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "x.yaml") == configuration)
    }

    private func expected() throws -> HTTPCatalogConfiguration {
        var declaration = HTTPCatalogDeclaration(
            name: "shop", url: "https://shop.example/api", request: try request())
        declaration.authentication = .header(
            name: "X-Key", prefix: "Token ", secret: .credential(name: "shop"))
        declaration.codes = CodeRules(
            forms: [.gtin13, .lowerCase],
            characters: .token, maximumLength: 40)
        declaration.variables = [.init("shop", "12")]
        declaration.rules = rules()
        declaration.followUp = FollowUp(
            captured: [
                .init(
                    "id", [place("/id"), place("/pk")],
                    repeated: [place("/id"), place("#/items/0/id")])
            ], request: RequestDeclaration(path: try PathTemplate("/items/{id}")))
        declaration.product = product()
        declaration.rateLimit.remaining = "X-Left"
        declaration.rateLimit.reset = "X-Reset"
        declaration.rateLimit.resetUnit = .epochSeconds
        declaration.redirects = .refuse
        declaration.maximumAnswer = 65536
        declaration.resilience.attemptTimeout = .milliseconds(300)
        declaration.resilience.connectTimeout = .milliseconds(200)
        declaration.resilience.attempts = 3
        declaration.resilience.backoff = .milliseconds(50)
        declaration.resilience.retryTokens = 20
        declaration.resilience.breaker.window = .seconds(10)
        declaration.resilience.breaker.minimumCalls = 3
        declaration.resilience.breaker.failurePercent = 40
        declaration.resilience.breaker.openFor = .seconds(1)
        declaration.resilience.breaker.openAtMost = .seconds(30)
        declaration.resilience.cache.fresh = .seconds(60)
        declaration.resilience.cache.staleWhileRevalidate = .seconds(3600)
        declaration.resilience.cache.staleIfError = .seconds(86_400)
        declaration.resilience.cache.notFound = .seconds(10)
        declaration.resilience.cache.entries = 5
        declaration.resilience.cache.obeysHeaders = false
        declaration.resilience.quota = QuotaSettings(requests: 60, per: .seconds(60))
        let key = try #require(PinnedKey([UInt8](repeating: 0, count: 31) + [1]))
        var tls = TLSConfiguration()
        tls.authorityFile = .file(path: "/etc/ca.pem")
        tls.trustsOnlyThese = true
        tls.pinnedKeys = [key]
        tls.minimum = .tls13
        return HTTPCatalogConfiguration(declaration: declaration, tls: tls)
    }

    private func request() throws -> RequestDeclaration {
        var request = RequestDeclaration(path: try PathTemplate("/shops/{shop}/{code}"))
        request.query = [.init("fields", try Template("all"))]
        request.headers = [.init("X-Code", try HeaderTemplate("{code}"))]
        request.body = .json(
            .object([
                .init(
                    "q",
                    .array([
                        .text(try Template("{code}")),
                        .number(try #require(JSONNumber("1"))),
                        .number(try #require(JSONNumber("1.50"))), .bool(true), .null,
                        .text(try Template("1")),
                    ]))
            ]))
        request.isRepeatable = true
        return request
    }

    private func rules() -> AnswerRules {
        var rules = AnswerRules()
        rules.throttled = .all([.status([200...200]), .at(pointer("/wait"), .missing)])
        rules.failed = .at(pointer("/error"), .present)
        rules.notFound = .any([
            .status([404...404, 410...412]),
            .all([
                .status([200...200]),
                .at(pointer("/n"), .equals(JSONNumber("0").map(JSONValue.number) ?? .null)),
            ]),
        ])
        rules.messages = [pointer("/error"), pointer("/msg")]
        return rules
    }

    private func product() -> ProductMapping {
        var product = ProductMapping()
        product.items = JSONPointer()
        product.id = [place("/id")]
        product.codes = [place("/ean"), .each(of: place("/codes"), take: pointer("/code"))]
        product.name = [place("/name"), place("first#/name")]
        product.price = PriceRule(
            amount: [place("/price")], notation: .minorUnits,
            currency: [place("#/currency"), .constant("EUR")])
        product.unit = [
            .element(
                of: place("#/units"), where: pointer("/no"), is: place("/unit"),
                take: pointer("/name")),
            .constant("pcs"),
        ]
        product.attributes = [.init("brand", [place("/brand")])]
        product.verify = VerifyRule(
            codes: [place("/ean")], otherwise: .notFound, needsEveryPlace: true)
        return product
    }

    private func pointer(_ text: String) -> JSONPointer { JSONPointer(text) ?? JSONPointer() }

    private func place(_ text: String) -> Place { Place(text) ?? .at(.item, JSONPointer()) }

    @Test func anIDThatAllProductsWouldShareIsAnError() {
        let text = """
            catalog:
              sources:
                - http:
                    name: shop
                    url: http://shop.example
                    request: {path: "/{code}"}
                    product: {id: id}
            """
        #expect(
            sentences(text) == [
                "k.yaml:7: catalog.sources[0].http.product.id: expected places in an answer such as"
                    + " /id, found \"id\""
            ])
    }

    @Test func aPasswordInAURLIsNotRepeated() {
        let text = """
            catalog:
              sources:
                - http:
                    name: shop
                    url: http://me:sesame@shop.example
                    request: {path: "/{code}"}
                    product: {id: /id}
            """
        let sentences = sentences(text)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasSuffix("found one with a user's name") == true)
        #expect(!sentences.joined().contains("sesame"))
    }
}
