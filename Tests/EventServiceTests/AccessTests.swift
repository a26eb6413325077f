import Events
import Foundation
import Glibc
import HTTPService
import Logging
import TestFolders
import Testing
import WireText

@testable import EventService

/// Tests that the interface answers only permitted requests.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    @Test func theSocketIsForItsOwnerAndItsGroup() async throws {
        let service = try Service()
        let mode = try FileManager.default.attributesOfItem(atPath: service.socket)[
            .posixPermissions]
        #expect(mode as? Int == 0o660)
        let answer = try await service.answer("GET", "/openapi.json")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\"keywedge events\""))
        try await service.stop()
        #expect(!FileManager.default.fileExists(atPath: service.socket))
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("till.lan", true),
        ("evil.example", false), ("localhost.evil.example", false), ("127.0.0.1.evil", false),
    ])
    func onLoopbackTheHostMustBeOneOfTheList(name: String, isIn: Bool) async throws {
        let service = try Service(http: "127.0.0.1:0", hosts: ["till.lan"])
        let port = try await service.port()
        let answer = try await service.answer(
            "GET", "/openapi.json", host: "\(name):\(port)", on: port)
        #expect(answer.hasPrefix(isIn ? "HTTP/1.1 200" : "HTTP/1.1 421"))
        let other = try await service.answer(
            "GET", "/openapi.json", host: "\(name):\(port + 1)", on: port)
        #expect(other.hasPrefix("HTTP/1.1 421"))
        try await service.stop()
    }

    @Test func aPageOfAnotherOriginGetsNothingAlsoWithGET() async throws {
        let service = try Service(http: "127.0.0.1:0", origins: ["https://pos.example"])
        let port = try await service.port()
        service.publish("secret")
        for origin in [
            "https://evil.example", "null", "https://pos.example.evil", "http://pos.example",
        ] {
            let answer = try await service.answer(
                "GET", "/v1/events?after=oldest", ["Origin: \(origin)"],
                host: "localhost:\(port)", on: port)
            #expect(answer.hasPrefix("HTTP/1.1 403"))
            #expect(!answer.lowercased().contains("access-control"))
            #expect(!answer.contains("secret"))
        }
        for site in ["cross-site", "same-site"] {
            let script = try await service.answer(
                "GET", "/v1/events?after=oldest", ["Sec-Fetch-Site: \(site)"],
                host: "localhost:\(port)", on: port)
            #expect(script.hasPrefix("HTTP/1.1 403"))
        }
        try await service.stop()
    }

    @Test func aRequestWithTwoOriginsIsRefusedEvenIfTheyAreListed() async throws {
        let service = try Service(http: "127.0.0.1:0", origins: ["https://pos.example"])
        let port = try await service.port()
        for (second, status) in [
            (nil, "404"), ("https://pos.example", "403"), ("https://evil.example", "403"),
        ] as [(String?, String)] {
            let origins = ["https://pos.example"] + [second].compactMap(\.self)
            let answer = try await service.answer(
                "GET", "/v1/consumers/till", origins.map { "Origin: \($0)" },
                host: "localhost:\(port)", on: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        }
        try await service.stop()
    }

    @Test func aPageOfAListedOriginMayRead() async throws {
        let service = try Service(http: "127.0.0.1:0", origins: ["https://pos.example"])
        let port = try await service.port()
        let fields = ["Origin: https://pos.example"]
        let leave = try await service.answer(
            "OPTIONS", "/v1/consumers/till", fields + ["Access-Control-Request-Method: PUT"],
            host: "localhost:\(port)", on: port)
        #expect(leave.hasPrefix("HTTP/1.1 204"))
        #expect(leave.lowercased().contains("access-control-allow-origin: https://pos.example"))
        #expect(leave.contains("GET, HEAD, PUT, DELETE, POST"))
        service.publish("beep")
        let stream = try await service.stream(
            "/v1/events?after=oldest", fields, on: port, host: "localhost:\(port)"
        ) { $0.contains("beep") }
        #expect(stream.hasPrefix("HTTP/1.1 200"))
        #expect(stream.lowercased().contains("access-control-allow-origin: https://pos.example"))
        try await service.stop()
    }

    @Test func withATokenNobodyIsInWithoutIt() async throws {
        let folder = try TemporaryFolder()
        try Data("abcdefghijklmnop1234\n".utf8).write(
            to: URL(fileURLWithPath: folder.path("token")))
        let service = try Service(http: "127.0.0.1:0", token: folder.path("token"))
        let port = try await service.port()
        let host = "localhost:\(port)"
        let none = try await service.answer("GET", "/v1/consumers/a", host: host, on: port)
        #expect(none.hasPrefix("HTTP/1.1 401"))
        let wrong = try await service.answer(
            "GET", "/v1/consumers/a", ["Authorization: Bearer abcdefghijklmnop1235"], host: host,
            on: port)
        #expect(wrong.hasPrefix("HTTP/1.1 401"))
        let url = try await service.answer(
            "GET", "/v1/consumers/a?token=abcdefghijklmnop1234", host: host, on: port)
        #expect(url.hasPrefix("HTTP/1.1 401"))
        let right = try await service.answer(
            "GET", "/v1/consumers/a", ["Authorization: Bearer abcdefghijklmnop1234"], host: host,
            on: port)
        #expect(right.hasPrefix("HTTP/1.1 404"))
        // The unix socket needs no token, because the mode of its file protects it.
        #expect(try await service.answer("GET", "/v1/consumers/a").hasPrefix("HTTP/1.1 404"))
        try await service.stop()
    }

    /// The test only creates the sockets, and does not run the interface.
    @Test func othersAreServedWithATokenAndACertificateOnly() throws {
        let files = try TLSFiles()
        let pair = (files.certificate, files.key)
        for (token, identity) in [
            (nil, nil), (files.token, nil), (nil, pair), (files.token, pair),
        ] as [(String?, (String, String)?)] {
            var settings = ListenSettings(socket: files.folder.path("s"))
            (settings.http, settings.tokenFile) = (ListenAddress("0.0.0.0:0"), token)
            (settings.certificateFile, settings.keyFile) = (identity?.0, identity?.1)
            func make() throws {
                let sockets = try InterfaceSockets(
                    settings, handedOver: [],
                    log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                defer { sockets.removeFile() }
                for place in sockets.places {
                    let listener = try #require(sockets.opened(place), "\(sockets.status)")
                    close(listener.descriptor)
                    #expect((listener.identity != nil) == (place == .http))
                }
            }
            if token != nil, identity != nil {
                try make()
            } else {
                let error = #expect(throws: ListenError.self, performing: make)
                #expect(error?.description.hasPrefix("Others could read events at") == true)
            }
        }
    }

    /// The kernel's limit: a path in sockaddr_un has 108 bytes, the last of them zero.
    @Test func aSocketsPathMayHave107Bytes() throws {
        let folder = try TemporaryFolder()
        let longest = folder.path("").padding(toLength: 107, withPad: "s", startingAt: 0)
        close(try ListeningSocket.unix(at: longest))
        #expect(UnixSocket.obstacle(at: longest)?.errno == ECONNREFUSED)
        #expect(throws: ListenError.pathTooLong(longest + "s")) {
            _ = try ListeningSocket.unix(at: longest + "s")
        }
    }

    @Test func aSocketInUseIsLeftAlone() async throws {
        let service = try Service()
        #expect(throws: ListenError.self) { _ = try ListeningSocket.unix(at: service.socket) }
        #expect(try await service.answer("GET", "/openapi.json").hasPrefix("HTTP/1.1 200"))
        try await service.stop()
    }

    @Test(arguments: [
        ("/v1/events?after=nonsense", "400"), ("/v1/events?types=keywedge.scna", "400"),
        ("/v1/events?kinds=ean", "400"), ("/v1/events?scanners=", "400"),
        ("/v1/events?limit=1", "400"), ("/v1/events?consumer=a%2Fb", "400"),
        ("/v1/events?consumer=a&after=oldest", "400"), ("/v1/nothing", "404"), ("/live", "404"),
        ("//v1/status", "404"), ("/v1//status", "404"), ("/v1/status/", "404"), ("//", "404"),
        ("/v1/consumers/a%20b", "400"),
    ])
    func whatIsWrongIsRefused(target: String, status: String) async throws {
        let service = try Service()
        let answer = try await service.answer("GET", target)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        #expect(answer.contains("application/problem+json"))
        try await service.stop()
    }
}
