import HTTPCatalog
import KeywedgeConfiguration
import Testing

@Suite struct CatalogErrorTests {
    @Test(arguments: [
        (
            "url: shop.example",
            "k.yaml:4: catalog.sources[0].http.url: expected an http or https URL "
                + "(expected http:// or https:// in front), found \"shop.example\""
        ),
        (
            "name: Shop",
            "k.yaml:4: catalog.sources[0].http.name: expected a name of a-z, 0-9, \".\", \"_\" and "
                + "\"-\" other than embedded, found \"Shop\""
        ),
        (
            "request: {path: \"/{cod}\"}",
            "k.yaml:3: catalog.sources[0].http.request: expected one of the placeholders {code} "
                + "(did you mean {code}?), found {cod}"
        ),
        (
            "request: {path: /all}",
            "k.yaml:3: catalog.sources[0].http.request: expected {code} somewhere in the request, "
                + "found it nowhere"
        ),
        (
            "request: {path: \"/{code}?x=1\"}",
            "k.yaml:4: catalog.sources[0].http.request.path: expected a path such as "
                + "/products/{code} (The path \"/{code}?x=1\" is invalid: expected a percent-encoded "
                + "character at byte 2, found \"?\".), found \"/{code}?x=1\""
        ),
        (
            "request: {path: \"/{code}\", link: /links/next}",
            "k.yaml:4: catalog.sources[0].http.request.path: expected one of link and path, found link "
                + "and path"
        ),
        (
            "product: {price: {amount: /p, currency: EUR, minor_units: true, decimals: 2}}",
            "k.yaml:4: catalog.sources[0].http.product.price.decimals: expected minor_units or "
                + "decimals, not both, found both"
        ),
        (
            "auth: {basic: {user: u, user_file: /u, password_file: /p}}",
            "k.yaml:4: catalog.sources[0].http.auth.basic.user_file: expected one of user and "
                + "user_file, found user and user_file"
        ),
        (
            "request: {path: \"/{code}\", json: {}, form: {}}",
            "k.yaml:4: catalog.sources[0].http.request.form: expected one of json, form and "
                + "graphql, found json and form"
        ),
        (
            "request: {path: \"/{code}\", headers: {Host: x}}",
            "k.yaml:4: catalog.sources[0].http.request.headers.Host: expected the name of a header "
                + "field that may be set (the header \"Host\" is set by the transport; expected "
                + "another one), found \"Host\""
        ),
        (
            "not_found: {status: 99}",
            "k.yaml:4: catalog.sources[0].http.not_found.status: expected a status from 100 to 599 "
                + "such as 404, or a range such as 500-599, found \"99\""
        ),
        (
            "not_found: {at: /x}",
            "k.yaml:4: catalog.sources[0].http.not_found: expected at and one of equals, missing, "
                + "empty, present and prefix, or neither, found at"
        ),
        (
            "not_found: {empty: true}",
            "k.yaml:4: catalog.sources[0].http.not_found: expected at and one of equals, missing, "
                + "empty, present and prefix, or neither, found empty"
        ),
        (
            "not_found: {}",
            "k.yaml:4: catalog.sources[0].http.not_found: expected a rule such as {status: 404} or "
                + "{at: /items, empty: true}, found an empty mapping"
        ),
        (
            "product: {name: /name}",
            "k.yaml:4: catalog.sources[0].http.product.id: expected where the product's id is, "
                + "found none"
        ),
        (
            "product: {id: /id, price: {amount: /p}}",
            "k.yaml:4: catalog.sources[0].http.product.price.currency: expected a currency such as "
                + "EUR or where it is, here or as catalog.currency, found none"
        ),
        (
            "product: {id: /id, price: {amount: /p, currency: Euro}}",
            "k.yaml:4: catalog.sources[0].http.product.price.currency: expected a currency such as "
                + "EUR (ISO 4217), or a place in an answer, found \"Euro\""
        ),
        (
            "product: {id: /id~x}",
            "k.yaml:4: catalog.sources[0].http.product.id: expected a place in an answer such as "
                + "/name, or a text, found \"/id~x\""
        ),
        (
            "codes: {ask: gtin-15}",
            "k.yaml:4: catalog.sources[0].http.codes.ask: expected as-typed, lower-case, "
                + "upper-case, gtin-8, gtin-12, gtin-13, gtin-14, gtin-8-without-check-digit, "
                + "gtin-12-without-check-digit, gtin-13-without-check-digit or "
                + "gtin-14-without-check-digit (did you mean gtin-12?), found \"gtin-15\""
        ),
        (
            "auth: {bearer: {token: abc}}",
            "k.yaml:4: catalog.sources[0].http.auth.bearer.token: expected the key token_file, "
                + "found an unknown key"
        ),
        (
            "auth: {bearer: {}}",
            "k.yaml:4: catalog.sources[0].http.auth.bearer.token_file: expected the path of a file "
                + "with the secret, or credential:NAME, found none"
        ),
        (
            "auth: {}",
            "k.yaml:4: catalog.sources[0].http.auth: expected one of header, query, basic, "
                + "bearer and oauth2, found none"
        ),
        (
            "then: {with: {a: {each: /l, where: /c, is: /c, take: /i}}, request: {path: /x}}",
            "k.yaml:4: catalog.sources[0].http.then.with.a.is: expected \"{code}\", found \"/c\""
        ),
        (
            "then: {with: {a: /l}, request: {link: a}}",
            "k.yaml:4: catalog.sources[0].http.then.request.link: expected a placeholder of "
                + "then.with in braces such as {href}, found \"a\""
        ),
        (
            "auth: {query: {value_file: /k}}",
            "k.yaml:4: catalog.sources[0].http.auth.query.name: expected the name of an item of "
                + "the query, found none"
        ),
        (
            "auth: {bearer: {token_file: \"credential:a/b\"}}",
            "k.yaml:4: catalog.sources[0].http.auth.bearer.token_file: expected credential: and "
                + "the name of a credential, without a slash, found \"credential:a/b\""
        ),
        (
            "tls: {key_file: k.pem}",
            "k.yaml:4: catalog.sources[0].http.tls: expected certificate_file and key_file, or "
                + "neither, found key_file alone"
        ),
        (
            "breaker: {open_for: 90s}",
            "k.yaml:4: catalog.sources[0].http.breaker: expected an open_for of at most "
                + "open_at_most, found 90s and 60s"
        ),
        (
            "cach: {}",
            "k.yaml:4: catalog.sources[0].http.cach: expected a known key (did you mean cache?), "
                + "found an unknown key"
        ),
        (
            "write_back: true",
            "k.yaml:4: catalog.sources[0].http.write_back: expected catalog.answers, a file that "
                + "keeps what services answered, found an unknown key"
        ),
        (
            "quota: {requests: 1}",
            "k.yaml:4: catalog.sources[0].http.quota.per: expected in which time, found none"
        ),
        (
            "then: {request: {path: /x}}",
            "k.yaml:4: catalog.sources[0].http.then.with: expected what the first answer gives, "
                + "such as {id: /id}, found none"
        ),
        (
            "then: {with: {id: /id}, request: {path: \"/x/{id}\"}, verify: {item: /id}}",
            "k.yaml:4: catalog.sources[0].http.then.verify.item: expected one of the placeholders "
                + "id of with, found \"item\""
        ),
        (
            "then: {with: {id: /id}, request: {path: \"/x/{id}\"}, verify: {id: first#/id}}",
            "k.yaml:4: catalog.sources[0].http.then.verify.id: expected places in the second answer "
                + "such as /id, found one in the first"
        ),
        (
            "then: {with: {id: /id}, request: {path: \"/x/{id}\"}, verify: /id}",
            "k.yaml:4: catalog.sources[0].http.then.verify: expected a mapping of placeholders to "
                + "places, found \"/id\""
        ),
        (
            "then: {with: {id: /id}, request: {path: \"/x/{id}\"}, verify: {}}",
            "k.yaml:4: catalog.sources[0].http.then.verify: expected a mapping of placeholders to "
                + "places, found an empty one"
        ),
    ])
    func aMistakeIsNamedWithItsPlace(setting: String, sentence: String) {
        let known = [
            "name": "name: shop", "url": "url: http://shop.example",
            "request": "request: {path: \"/{code}\"}", "product": "product: {id: /id}",
        ]
        let rest = known.filter { !setting.hasPrefix($0.key + ":") }.values.sorted()
        // The setting is on line 4, and the rest of the catalog is on line 3.
        let text = """
            catalog:
              sources: [
               {http: {\(rest.joined(separator: ", ")),
                \(setting)}}]
            """
        let found = sentences(text)
        #expect(found.contains(sentence), "\(found)")
    }

    @Test(arguments: [
        (
            "sources: [{preset: openfodfacts}]",
            "k.yaml:1: catalog.sources[0].preset: expected one of the presets grocy, gs1-resolver, "
                + "inventree, keywedge, kroger, lightspeed-x, loyverse, odoo, openfoodfacts, "
                + "openfoodfacts-v3, shopify, square, upcitemdb or woocommerce "
                + "(did you mean openfoodfacts?), found \"openfodfacts\""
        ),
        (
            "sources: [{preset: grocy, url: \"http://g.lan\"}]",
            "k.yaml:1: catalog.sources[0].auth.header.value_file: expected the path of a file with "
                + "the secret, or credential:NAME, found none"
        ),
        (
            "sources: [{preset: openfoodfacts, cach: {}}]",
            "k.yaml:1: catalog.sources[0].cach: expected a known key (did you mean cache?), found "
                + "an unknown key"
        ),
        (
            "sources: [{preset: openfoodfacts}, {preset: openfoodfacts-v3}]",
            "k.yaml:1: catalog.sources[1]: expected a name that no other catalog has, found "
                + "\"openfoodfacts\""
        ),
        (
            "sources: [{embedded: a.sqlite}, {embedded: b.sqlite}, {embedded: a.sqlite}]",
            "k.yaml:1: catalog.sources[2]: expected a file that no other catalog has, found "
                + "\"a.sqlite\""
        ),
        (
            "{preset: openfoodfacts, sources: []}",
            "k.yaml:1: catalog.preset: expected one of sources and preset, found sources and preset"
        ),
        (
            "sources: [{preset: woocommerce, url: \"http://w\", auth: {basic: {user: a, "
                + "password_file: b}}}]",
            "k.yaml:1: catalog.sources[0].product.price.currency: expected a currency such as EUR "
                + "or where it is, here or as catalog.currency, found none"
        ),
    ])
    func aMistakeBesideAPresetIsNamed(setting: String, sentence: String) {
        let text = setting.hasPrefix("{") ? "catalog: \(setting)" : "catalog: {\(setting)}"
        let found = sentences(text)
        #expect(found == [sentence])
    }

    @Test func aMistakeThatOnlyShowsInThePresetIsReportedAtItsName() {
        let text = """
            catalog:
              sources:
                - preset: kroger
                  auth: {oauth2: {client_id: a, client_secret_file: b}}
            """
        #expect(
            sentences(text) == [
                "k.yaml:3: catalog.sources[0].request: expected one of the placeholders {code}, "
                    + "found {location}"
            ])
    }

    @Test func thePresetAloneIsShortForAListWithIt() throws {
        let short = try Configuration.parse(
            text: "catalog: {preset: openfoodfacts}", file: "k")
        let long = try Configuration.parse(
            text: "catalog: {sources: [{preset: openfoodfacts}]}", file: "k")
        #expect(short == long)
        #expect(short.catalog.sources.count == 1)
    }

    @Test func theCurrencyOfTheCatalogHoldsForPricesThatNameNone() throws {
        let text = """
            catalog:
              currency: CHF
              sources:
                - preset: loyverse
                  auth: {bearer: {token_file: t}}
            """
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        guard case .http(let catalog) = configuration.catalog.sources.first else {
            Issue.record("no catalog")
            return
        }
        #expect(catalog.declaration.product.price?.currency == [.constant("CHF")])
    }

    @Test func whatStandsBesideAPresetGoesAheadOfIt() throws {
        let text = """
            catalog:
              sources:
                - preset: odoo
                  url: https://o.example
                  name: erp
                  auth: {basic: {user: me, password_file: /p}}
                  request: {headers: {X-Odoo-Database: db}}
                  product: {name: [/name]}
            """
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        guard case .http(let catalog) = configuration.catalog.sources.first else {
            Issue.record("no catalog")
            return
        }
        let declaration = catalog.declaration
        #expect(declaration.name == "erp")
        #expect(
            declaration.authentication
                == .basic(user: .plain("me"), password: .file(path: "/p")))
        #expect(declaration.request.headers.map(\.name) == ["X-Odoo-Database"])
        #expect(declaration.request.body != nil)
        #expect(declaration.product.name.map(\.text) == ["/name"])
        #expect(declaration.product.id.map(\.text) == ["/id"])
    }
}
