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

/// Who may ask.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    private static let secret = "abcdefghij-KLMNOP.0123456789_~+/=="

    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        try CatalogFile(path: path, access: .writing).take("id,code\n1,x\n")
    }

    @Test(arguments: ["/v1/products", "/v1/products/x", "/v1/lookup?code=x"])
    func nothingOfTheCatalogIsToldWithoutTheToken(target: String) async throws {
        let token = try unwrapped(BearerToken(Self.secret))
        try await Service.run(path, token: token) { service in
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
        let token = try unwrapped(BearerToken(Self.secret))
        try await Service.run(path, token: token) { service in
            #expect(try await service.get("/nothing").status == .unauthorized)
            #expect(try await service.get("/v1/products?limit=x").status == .unauthorized)
            #expect(try await service.get("/v1/health").status == .ok)
            #expect(try await service.get("/openapi.json").status == .ok)
            let method = try await service.get("/v1/products", [:], .delete)
            #expect(method.status == .unauthorized)
        }
    }

    @Test(arguments: [("", 1), ("Authorization: Bearer \(secret)\r\n", 3)])
    func withoutTheTokenThereIsOneAnswerToAConnection(fields: String, answers: Int) async throws {
        let token = try unwrapped(BearerToken(Self.secret))
        try await Service.run(path, token: token) { service in
            let came = try await RawConnection.open(service.port) { ends in
                let request = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\(fields)"
                try await ends.send(
                    "\(request)\r\n\(request)\r\n\(request)Connection: close\r\n\r\n")
                await ends.receiveToTheEnd()
                return ends.text
            }
            #expect(came.components(separatedBy: "HTTP/1.1 200").count - 1 == answers)
            #expect(came.lowercased().contains("connection: close") == (answers == 1))
        }
    }

    @Test func onAConnectionThatHasShownTheTokenTheRestIsAnsweredToo() async throws {
        let token = try unwrapped(BearerToken(Self.secret))
        try await Service.run(path, token: token) { service in
            let came = try await RawConnection.open(service.port) { ends in
                let request = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
                try await ends.send(
                    "\(request)Authorization: Bearer \(Self.secret)\r\n\r\n\(request)\r\n"
                        + "\(request)Connection: close\r\n\r\n")
                await ends.receiveToTheEnd()
                return ends.text
            }
            #expect(came.components(separatedBy: "HTTP/1.1 200").count - 1 == 3)
        }
    }

    @Test(arguments: [
        ("localhost", 200), ("LOCALHOST:80", 200), ("127.0.0.1", 200), ("127.1.2.3:1", 200),
        ("[::1]", 200), ("[::1]:8690", 200), ("[0:0:0:0:0:0:0:1]", 200), ("::1", 421),
        ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
        ("10.0.0.1", 421), ("[::2]", 421), ("[::ffff:10.0.0.1]:80", 421), ("", 421),
    ])
    func withoutATokenOnlyTheseHostsAreAnswered(host: String, status: Int) async throws {
        try await Service.run(path) { service in
            let answer = try await RawConnection.open(service.port) { ends in
                try await ends.send(
                    "GET /v1/products/x HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                await ends.receiveToTheEnd()
                return ends.text
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:80", "register-3.lan:8690"])
    func othersAreNotServedWithoutAToken(address: String) throws {
        let address = try unwrapped(ListenAddress(address))
        let error = CatalogServerError.openToOthers(address)
        for way in ["--token-file", "a loopback address"] {
            #expect(error.description.contains(way))
        }
        #expect(throws: error) {
            _ = try server(at: address)
        }
        #expect(throws: Never.self) {
            _ = try server(at: address, token: unwrapped(BearerToken(Self.secret)))
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await Service.run(path) { [path] service in
            let address = try unwrapped(ListenAddress("127.0.0.1:\(service.port)"))
            let error = await #expect(throws: CatalogServerError.self) {
                try await Self.server(path, at: address, token: nil).run()
            }
            #expect(
                error?.description
                    == "Cannot listen at 127.0.0.1:\(service.port): another program does; "
                    + "expected a free port.")
        }
    }

    @Test func anAddressThatIsNotOursIsNamed() async throws {
        let token = try unwrapped(BearerToken(Self.secret))
        for (address, reason) in [
            ("192.0.2.1:1", "Cannot assign requested address"),
            ("no.such.name.invalid:1", "the name no.such.name.invalid leads nowhere"),
        ] {
            let error = await #expect(throws: CatalogServerError.self) {
                try await server(at: unwrapped(ListenAddress(address)), token: token).run()
            }
            #expect(error?.description == "Cannot listen at \(address): \(reason).")
        }
    }

    @Test func aCertificateThatCannotBeUsedIsNamed() throws {
        let authority = try TestAuthority()
        let (one, other) = try (
            authority.certificate(for: ["a"]), authority.certificate(for: ["b"])
        )
        try Data(one.certificate).write(to: URL(fileURLWithPath: scratch.path("cert")))
        try Data(other.key).write(to: URL(fileURLWithPath: scratch.path("key")))
        let (cert, key) = (scratch.path("cert"), scratch.path("key"))
        let error = #expect(throws: ServerIdentityError.self) {
            _ = try ServerIdentity(certificate: cert, key: key)
        }
        #expect(error?.description.hasPrefix("The certificate \"\(cert)\" and its key") == true)
        let missing = scratch.path("none")
        #expect(
            throws: ServerIdentityError.file(
                SystemCallError(operation: "open", path: missing, errno: ENOENT))
        ) {
            _ = try ServerIdentity(certificate: missing, key: key)
        }
    }

    private func server(at address: ListenAddress, token: BearerToken? = nil) throws
        -> CatalogServer
    {
        try Self.server(path, at: address, token: token)
    }

    private static func server(
        _ path: String, at address: ListenAddress, token: BearerToken?
    ) throws -> CatalogServer {
        try CatalogServer(
            catalog: path, at: address, token: token, log: .silent
        ) { _ in }
    }
}
