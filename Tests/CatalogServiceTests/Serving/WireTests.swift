import Catalog
import Foundation
import HTTPTypes
import Testing
import WebAPI

@testable import CatalogService

/// Tests requests that ordinary clients never send, byte for byte.
@Suite(.timeLimit(.minutes(10))) struct WireTests {
    private let shop: Shop

    init() throws {
        shop = try Shop(
            "id,code\ndot,.\ndots,..\nslash,a/b\nnul,a\nplain,x\n")
    }

    /// Returns requests for one connection, of which the last one asks to close it.
    private static func requests(_ lines: [String]) -> String {
        lines.map { "\($0) HTTP/1.1\r\nHost: localhost\r\n" }.joined(separator: "\r\n")
            + "Connection: close\r\n\r\n"
    }

    private func status(_ answer: String) -> Int? {
        Int(answer.split(separator: " ", maxSplits: 2).dropFirst().first ?? "")
    }

    @Test(arguments: [
        ("GET /v1/products/.", 200), ("GET /v1/products/..", 200), ("GET /v1/products/%2E%2e", 200),
        ("GET /v1/products/a%2Fb", 200), ("GET /v1/products/a%2fb", 200),
        ("GET /v1/products/a%00", 404), ("GET /v1/products/%", 400),
        ("GET /v1/products/%FF", 400), ("GET /v1/products/%C3%28", 400),
        ("GET /v1/products/%4", 400), ("GET /v1/products/%zz", 400),
        ("GET http://localhost/v1/products/x", 200), ("GET http://localhost", 404),
        ("GET http://localhost?x", 404), ("GET *", 404), ("OPTIONS *", 405),
        ("GET //v1/products/x", 404), ("GET /v1//products/x", 404), ("GET /v1/products/x/", 404),
        ("GET /v1/products/x?", 200),
        ("GET /v1/products?&&limit=1&", 200), ("GET /v1/products?=1", 400),
        ("GET /v1/products/x%0d%0aX-Injected:%20yes", 404), ("TRACE /v1/products", 405),
        ("BREW /v1/products", 400), ("GET", 400), ("", 400),
    ])
    func aRequestLineIsReadAsItStands(line: String, expected: Int) async throws {
        try await Service.run(shop.path) { service in
            let answer = try await RawConnection.ask(service.port, line)
            #expect(status(answer) == expected, "\(answer)")
            #expect(!answer.contains("X-Injected"))
        }
    }

    @Test func anAnswerToHeadHasNoContentWhateverItSays() async throws {
        try await Service.run(shop.path) { service in
            let targets = ["/nothing", "/v1/products?limit=0", "/v1/products/x", "/feed/none"]
            let text = try await RawConnection.exchange(
                service.port, Self.requests(targets.map { "HEAD \($0)" }))
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 5)
            #expect(!text.contains("{"))
        }
    }

    @Test func requestsOnOneConnectionAreAnsweredInOrder() async throws {
        try await Service.run(shop.path) { service in
            let codes = [".", "..", "a%2Fb", "none"]
            let lines = codes.map { "GET /v1/products/\($0)" } + ["GET /v1/health"]
            let text = try await RawConnection.exchange(service.port, Self.requests(lines))
            let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["200", "200", "200", "404", "200"])
            let wanted = ["\"dot\"", "\"dots\"", "\"slash\"", "no-such-product", "ok"]
            for (answer, wanted) in zip(answers, wanted) { #expect(answer.contains(wanted)) }
        }
    }

    @Test func contentThatNobodyAskedForIsPassedOver() async throws {
        try await Service.run(shop.path) { service in
            let fields = "Host: localhost\r\nContent-Length: 5\r\n"
            let answer = try await RawConnection.ask(service.port, "GET /v1/products/x", fields)
            #expect(status(answer) == 200)
            let text = try await RawConnection.exchange(
                service.port,
                "GET /v1/products/x HTTP/1.1\r\n\(fields)\r\n12345"
                    + Self.requests(["GET /v1/health"]))
            #expect(text.components(separatedBy: "HTTP/1.1 200").count == 3)
        }
    }

    @Test(arguments: [
        "", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nhost: evil.example\r\n",
    ])
    func aRequestWithoutExactlyOneHostIsRefused(fields: String) async throws {
        for token in [nil, "abcdefghijklmnopqrst"] {
            try await Service.run(shop.path, token: token) { service in
                for target in ["/v1/products/x", "/v1/health", "/none"] {
                    let answer = try await RawConnection.ask(
                        service.port, "GET \(target)", fields)
                    #expect(status(answer) == 400)
                    #expect(answer.contains("not-one-host"))
                }
            }
        }
    }
}
