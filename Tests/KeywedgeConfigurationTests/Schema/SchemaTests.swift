import Foundation
import TestTexts
import TestWaiting
import Testing
import WireText

@testable import KeywedgeConfiguration

@Suite(.blocking, .enabled(if: SchemaValidator.isInstalled, "python3-jsonschema is not installed"))
struct SchemaTests {
    /// Valid configurations.
    private static let right: [String] =
        [
            "", ConfigurationTests.everything, CatalogDeclarationTests.whole,
            "scanners: [{name: \"1\", prefix: 5, terminators: [1, KEY_F8], match: {vendor: 1234}}]",
            "scanners: [{name: a, start: [none], terminators: [none], control_names: none}]",
            "catalog: {preset: openfoodfacts}", "catalog: {sources: []}", "catalog: {}",
            "events: [{mqtt: {url: \"mqtt://[::1]\", presence: none, types: keywedge.scan}}]",
            "events: [{exec: {command: [a]}}, {exec: {name: b, command: [a]}}]",
            "events: [{webhook: {url: \"http://b\", secret_file: s}}, {keyboard: {template: a}}]",
            "scanners: [{name: a, recovery: 3s, length: {}, keys: {}, substitutes: {}}]",
            """
            catalog:
              currency: EUR
              sources:
                - embedded: catalog.sqlite
                - preset: odoo
                  url: https://o.example
                  auth: {basic: {user: me, password_file: "credential:odoo"}}
                  request: {headers: {X-Odoo-Database: db}}
                  product: {name: /name, price: {decimals: 2, amount: /p}}
                  cache: {fresh: 1min}
                  tls: {minimum: 1.3}
            """,
        ] + Examples.presets

    @Test func whatIsRightIsAccepted() throws {
        let right = try Self.right + Examples.configurations()
        for text in right { #expect(sentences(text) == [], "\(text)") }
        let verdicts = try SchemaValidator.judge(right)
        #expect(verdicts.count == right.count)
        for (text, verdict) in zip(right, verdicts) where verdict != "accepted" {
            Issue.record("\(verdict)\n\(text)")
        }
    }

    @Test func whatIsWrittenIsAccepted() throws {
        let right = try Self.right + Examples.configurations()
        let written = try right.map { try Configuration.parse(text: $0, file: "k").yaml }
        #expect(Set(try SchemaValidator.judge(written)) == ["accepted"])
    }

    /// Invalid configurations whose mistakes a schema can express.
    private static let wrong: [String] =
        [
            "scannners: []", "scanners: []", "scanners: {}", "scanners: [{}]", "events: []",
            "events: [{}]", "events: [{stdout: {format: xml}}]", "events: [{file: x}]",
            "events: [{stdout: {}}, {stdout: {}}]", "events: [{stdout: {}, exec: {command: [a]}}]",
            "events: [{keyboard: {template: a}}, {keyboard: {template: a}}]",
            "events: [{mqtt: {}}]", "events: [{mqtt: {url: broker}}]",
            "events: [{mqtt: {url: \"mqtt://b\", topic: a//b}}]",
            "events: [{mqtt: {url: \"mqtt://b\", presence: off}}]",
            "events: [{mqtt: {url: \"mqtt://b\", expiry: {scan: 1d}}}]",
            "events: [{mqtt: {url: \"mqtt://b\", kinds: [ean]}}]",
            "events: [{webhook: {url: \"http://b\"}}]", "events: [{exec: {command: a}}]",
            "events: [{exec: {name: A, command: [a]}}]", "events: [{keyboard: {}}]",
            "barcodes: {region: XX}",
            "barcodes: {eight_digits: 8}", "barcodes: [a]", "catalog: {deadline: 5}",
            "catalog: {deadline: 0s}", "catalog: {currency: Euro}", "catalog: {preset: none}",
            "catalog: {preset: openfoodfacts, sources: []}", "catalog: {sources: [{}]}",
            "catalog: {sources: [{embedded: ~}]}", "catalog: {sources: [{embedded: ~/c.sqlite}]}",
            "catalog: {sources: [{preset: shop}]}", "catalog: {sources: [{http: {}}]}",
            "catalog: {sources: [{preset: odoo, cach: {}}]}",
            "catalog: {sources: [{preset: odoo, cache: {entries: 0}}]}",
            "catalog: {sources: [{preset: odoo, auth: {bearer: {}, basic: {}}}]}",
        ]
        + [
            "name: Counter", "name: a/b", "match: []", "match: {vendor: 12g4}", "match: {path: x}",
            "match: {name: \"\"}", "match: {serial: x}", "layout: [us]", "layout: ../us",
            "caps: on", "alt_numpad: \"true\"", "aim: yes", "start: []", "start: enter",
            "terminators: [entr]", "terminators: [enter, enter]", "terminators: [none, tab]",
            "terminator_pause: 5", "idle_timeout: 500", "idle_timeout: 0ms", "idle_timeout: 1,5s",
            "recovery: 2", "length: {min: 0}", "length: {max: 65537}", "length: {max: \"5\"}",
            "length: 5", "encoding: latin-1", "prefix: ~", "suffix: [a]",
            "code_identifiers: honeywell", "code_identifiers: {d: E0}",
            "code_identifiers: {abcdefghi: \"]E0\"}", "control_names: [round]",
            "control_names: all", "substitutes: {ab: c}", "substitutes: {a: bc}", "keys: [KEY_F8]",
            "content: gs-1", "upc_e: 6",
            "keys: {F8: x}", "keys: {KEY_F8: ab}", "idle-timeout: 1s",
        ].map { $0.hasPrefix("name:") ? "scanners: [{\($0)}]" : "scanners: [{name: a, \($0)}]" }
        + [
            "url: shop.example", "name: embedded", "request: {path: p}", "request: {}",
            "request: {path: \"/{code}\", json: {}, form: {}}",
            "request: {path: \"/{code}\", graphql: {}}",
            "not_found: {status: 99}", "not_found: {at: x, empty: true}", "not_found: []",
            "not_found: {at: /x}", "not_found: {empty: true}", "not_found: {}",
            "not_found: {any: [{all: [{status: x}]}]}",
            "not_found: {at: /x, empty: true, missing: true}",
            "product: {name: /name}", "product: {id: []}", "product: {id: /id, price: {}}",
            "product: {id: /id, price: {amount: p}}",
            "product: {id: /id, price: {amount: /p, currency: Euro}}",
            "product: {id: /id, unit: [{each: /u}]}", "codes: {ask: gtin-15}",
            "auth: {bearer: {token: abc}}", "auth: {bearer: {}}", "auth: {}",
            "auth: {basic: {user: a, password_file: p}, bearer: {token_file: t}}",
            "auth: {basic: {password_file: p}}", "auth: {bearer: {token_file: \"credential:a/b\"}}",
            "auth: {oauth2: {token_url: x, client_id: a, client_secret_file: b}}",
            "tls: {minimum: 1.1}", "tls: {pinned_keys: sha256}", "breaker: {min_calls: 0}",
            "cache: {fresh: 5}", "quota: {requests: 1}", "max_answer: 5", "redirects: all",
            "then: {request: {path: /x}}", "variables: {code: x}", "attempts: 6",
            "rate_limit: {reset_unit: minutes}",
        ].map(catalog)

    /// A catalog with one setting, and with all other required settings.
    private static func catalog(_ setting: String) -> String {
        let needed = [
            "name: shop", "url: \"http://u\"", "request: {path: \"/{code}\"}", "product: {id: /id}",
        ]
        let key = setting.prefix { $0 != ":" }
        let rest = needed.filter { !$0.hasPrefix(key + ":") } + [setting]
        return "catalog: {sources: [{http: {\(rest.joined(separator: ", "))}}]}"
    }

    @Test func whatIsWrongIsRefused() throws {
        let verdicts = try SchemaValidator.judge(Self.wrong)
        #expect(verdicts.count == Self.wrong.count)
        for (text, verdict) in zip(Self.wrong, verdicts) {
            #expect(sentences(text) != [], "\(text)")
            #expect(verdict != "accepted", "\(text)")
        }
    }

    @Test func whateverIsReadIsAccepted() throws {
        var random = SplitMix(seed: 11)
        let values = [
            "true", "\"true\"", "~", "5", "0", "1e3", "[]", "{}", "500ms", "0s", "x", "\"\"", "/p",
            "none", "[none]", "404", "EUR", "[{status: 404}]", "KEY_F8", "é", "1.2", "NO",
            "\"credential:x\"", "{each: /a, take: /b}", "\"]E0\"", "{a: b}", "[/a, \"#/b\"]",
        ]
        var texts: [String] = []
        for _ in 0..<600 {
            let whole = Bool.random(using: &random)
            var lines = (whole ? CatalogDeclarationTests.whole : ConfigurationTests.everything)
                .split(separator: "\n").map(String.init)
            let index = Int.random(in: 0..<lines.count, using: &random)
            if let colon = lines[index].range(of: ": "), Bool.random(using: &random) {
                let value = values[Int.random(in: 0..<values.count, using: &random)]
                lines[index] = lines[index][..<colon.upperBound] + value
            } else {
                lines.remove(at: index)
            }
            let text = lines.joined(separator: "\n")
            if sentences(text).isEmpty { texts.append(text) }
        }
        #expect(texts.count > 50)
        for (text, verdict) in zip(texts, try SchemaValidator.judge(texts))
        where verdict != "accepted" {
            Issue.record("\(verdict)\n\(text)")
        }
    }
}

/// Files of the repository, such as the examples, and the presets.
enum Examples {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The example configuration, and those of the recordings.
    static func configurations() throws -> [String] {
        let folder = root.appendingPathComponent("examples/recordings").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try [text("examples/keywedge.yaml")]
            + names.filter { $0.hasSuffix(".keywedge.yaml") }.sorted()
            .map { try text("examples/recordings/" + $0) }
    }

    /// The presets as declarations of catalogs, each with the settings that it needs from its user.
    static let presets: [String] = Presets.names.map { name in
        var text = Presets.text(name) ?? ""
        if !text.contains("\nurl: ") { text += "url: https://shop.example\n" }
        for (missing, complete) in [
            ("header: {name", "header: {value_file: k, name"),
            ("basic: {}", "basic: {user: u, password_file: p}"),
            ("bearer: {}", "bearer: {token_file: t}"),
            ("  oauth2:", "  oauth2:\n    client_id: c\n    client_secret_file: s"),
            ("{location}", "1"),
        ] { text = text.replacing(missing, with: complete) }
        let lines = text.split(separator: "\n").map { "        " + $0 }
        return (["catalog:", "  currency: EUR", "  sources:", "    - http:"] + lines)
            .joined(separator: "\n")
    }
}
