import Catalog
import Foundation
import HTTPService
import HTTPTypes
import KeywedgeTestKit
import TestFolders
import Testing
import WebAPI
import WireText

@testable import CatalogService

/// Tests access by token and host, listen addresses, and certificates.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    private static let secret = "abcdefghij-KLMNOP.0123456789_~+/=="

    private let shop: Shop

    init() throws {
        shop = try Shop("id,code\n1,x\n")
    }

    @Test(arguments: ["/v1/products", "/v1/products/x", "/v1/lookup?code=x"])
    func nothingOfTheCatalogIsToldWithoutTheToken(target: String) async throws {
        try await Service.run(shop.path, token: Self.secret) { service in
            for shown in ["Bearer \(Self.secret)", "bearer  \(Self.secret)"] {
                let response = try await service.get(target, [.authorization: shown])
                #expect(response.status == .ok, "\(shown)")
            }
            let none = try await service.get(target)
            #expect(none.status == .unauthorized)
            #expect(none.headers[.wwwAuthenticate] == "Bearer realm=\"keywedge catalog\"")
            #expect(try none.json().text("/code") == "no-token")
            for shown in [
                "Bearer", "Bearer ", "Bearer x", Self.secret, "Basic \(Self.secret)",
                "Bearer \(Self.secret.dropLast())", "Bearer \(Self.secret)=",
                "Bearer \(Self.secret) x", "Bearer \(Self.secret)\(Self.secret)",
                "Bearer \(Self.secret.lowercased())",
            ] {
                let response = try await service.get(target, [.authorization: shown])
                #expect(response.status == .unauthorized, "\(shown)")
                #expect(
                    response.headers[.wwwAuthenticate]
                        == "Bearer realm=\"keywedge catalog\", error=\"invalid_token\"")
                #expect(try response.json().text("/code") == "wrong-token")
                #expect(!response.text.contains(Self.secret))
            }
        }
    }

    @Test func whetherThereIsSomethingIsNotToldEither() async throws {
        try await Service.run(shop.path, token: Self.secret) { service in
            #expect(try await service.get("/nothing").status == .unauthorized)
            #expect(try await service.get("/v1/products?limit=x").status == .unauthorized)
            #expect(try await service.get("/v1/health").status == .ok)
            #expect(try await service.get("/openapi.json").status == .ok)
            let method = try await service.get("/v1/products", [:], .delete)
            #expect(method.status == .unauthorized)
        }
    }

    /// A connection gets one answer without the token, and any number after it has shown the token.
    @Test(arguments: [
        ([false, false, false], 1), ([true, true, true], 3), ([true, false, false], 3),
    ])
    func aConnectionHasToShowTheToken(shown: [Bool], answers: Int) async throws {
        try await Service.run(shop.path, token: Self.secret) { service in
            let requests = shown.map { isShown in
                "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
                    + (isShown ? "Authorization: Bearer \(Self.secret)\r\n" : "")
            }
            let came = try await RawConnection.exchange(
                service.port, requests.joined(separator: "\r\n") + "Connection: close\r\n\r\n")
            #expect(came.components(separatedBy: "HTTP/1.1 200").count - 1 == answers)
            #expect(came.lowercased().contains("connection: close") == (answers == 1))
        }
    }

    @Test(arguments: [
        ("localhost", 200), ("LOCALHOST:80", 200), ("127.0.0.1", 200), ("127.1.2.3:1", 200),
        ("[::1]", 200), ("[::1]:8690", 200), ("[0:0:0:0:0:0:0:1]", 200), ("::1", 421),
        ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
        ("10.0.0.1", 421), ("[::2]", 421), ("[::ffff:10.0.0.1]:80", 421), ("", 421),
    ])
    func withoutATokenOnlyTheseHostsAreAnswered(host: String, status: Int) async throws {
        try await Service.run(shop.path) { service in
            let answer = try await RawConnection.ask(
                service.port, "GET /v1/products/x", "Host: \(host)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:80", "register-3.lan:8690"])
    func othersAreNotServedWithoutAToken(address: String) throws {
        let address = try unwrapped(ListenAddress(address))
        let error = #expect(throws: ListenError.self) {
            try Self.server(shop.path, at: address, token: nil)
        }
        for way in ["--token-file", "a loopback address"] {
            #expect(error?.description.contains(way) == true)
        }
        #expect(throws: Never.self) {
            try Self.server(shop.path, at: address, token: unwrapped(BearerToken(Self.secret)))
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await Service.run(shop.path) { service in
            let address = try unwrapped(ListenAddress("127.0.0.1:\(service.port)"))
            await #expect(throws: ListenError.inUse("\(address)")) {
                try await Self.server(shop.path, at: address, token: nil).run()
            }
        }
    }

    @Test func anAddressThatIsNotOursIsNamed() async throws {
        let token = try unwrapped(BearerToken(Self.secret))
        for (address, sentence) in [
            ("192.0.2.1:1", "\"192.0.2.1:1\": Cannot assign requested address."),
            ("no.such.invalid:1", "no.such.invalid:1: the name no.such.invalid leads nowhere; "),
        ] {
            let error = await #expect(throws: ListenError.self) {
                try await Self.server(
                    shop.path, at: unwrapped(ListenAddress(address)), token: token
                )
                .run()
            }
            #expect(error?.description.hasPrefix("Cannot listen at \(sentence)") == true)
        }
    }

    @Test func aCertificateThatCannotBeUsedIsNamed() throws {
        let authority = try TestAuthority()
        let (one, other) = try (
            authority.certificate(for: ["a"]), authority.certificate(for: ["b"])
        )
        try Data(one.certificate).write(to: URL(fileURLWithPath: shop.scratch.path("cert")))
        try Data(other.key).write(to: URL(fileURLWithPath: shop.scratch.path("key")))
        let (cert, key) = (shop.scratch.path("cert"), shop.scratch.path("key"))
        let error = #expect(throws: ServerIdentityError.self) {
            _ = try ServerIdentity(certificate: cert, key: key)
        }
        #expect(error?.description.hasPrefix("The certificate \"\(cert)\" and its key") == true)
        #expect(error?.description.contains("belongs to another certificate") == true)
        let missing = shop.scratch.path("none")
        #expect(
            throws: ServerIdentityError.file(
                SystemCallError(operation: "open", path: missing, errno: ENOENT))
        ) {
            _ = try ServerIdentity(certificate: missing, key: key)
        }
    }

    private static func server(
        _ path: String, at address: ListenAddress, token: BearerToken?
    ) throws -> CatalogServer {
        try CatalogServer(catalog: path, at: address, token: token, log: .silent) { _ in }
    }
}
