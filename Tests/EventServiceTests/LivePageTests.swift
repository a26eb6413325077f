import Foundation
import TestFolders
import Testing

@testable import EventService

/// The live page as a browser receives it.
@Suite(.timeLimit(.minutes(10))) struct LivePageTests {
    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/live.css", "text/css; charset=utf-8"),
        ("/live.js", "text/javascript; charset=utf-8"),
        ("/sound.js", "text/javascript; charset=utf-8"),
        ("/status.js", "text/javascript; charset=utf-8"),
        ("/stream.js", "text/javascript; charset=utf-8"),
        ("/words.js", "text/javascript; charset=utf-8"), ("/live.svg", "image/svg+xml"),
    ])
    func eachFileComesWithWhatABrowserIsToKnow(path: String, mediaType: String) async throws {
        let service = try Service(http: "127.0.0.1:0")
        let port = try await service.port()
        for method in ["GET", "HEAD"] {
            let answer = try await service.answer(
                method, path, host: "127.0.0.1:\(port)", on: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for field in [
                "Content-Type: \(mediaType)", "X-Content-Type-Options: nosniff",
                "Referrer-Policy: no-referrer", "Cache-Control: private, no-cache",
                "Cross-Origin-Resource-Policy: same-origin",
                "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ",
            ] {
                #expect(answer.contains(field), "\(field)")
            }
            #expect(answer.hasSuffix("\r\n\r\n") == (method == "HEAD"))
        }
        let put = try await service.answer("PUT", path, host: "127.0.0.1:\(port)", on: port)
        #expect(put.hasPrefix("HTTP/1.1 405"))
        let query = try await service.answer(
            "GET", "\(path)?a", host: "127.0.0.1:\(port)", on: port)
        #expect(query.hasPrefix("HTTP/1.1 400"))
        try await service.stop()
    }

    /// The content security policy blocks inline scripts and styles.
    @Test func nothingOfItStandsInTheDocumentItself() throws {
        let document = String(decoding: PackageResources.live_html, as: UTF8.self)
        #expect(!document.contains("<style"))
        #expect(!document.contains("style="))
        #expect(!document.contains(" on"))
        #expect(document.components(separatedBy: "<script").count == 2)
        #expect(document.contains(#"<script type="module" src="live.js"></script>"#))
        for file in [
            document, String(decoding: PackageResources.live_css, as: UTF8.self),
            String(decoding: PackageResources.live_js, as: UTF8.self),
            String(decoding: PackageResources.sound_js, as: UTF8.self),
            String(decoding: PackageResources.status_js, as: UTF8.self),
            String(decoding: PackageResources.stream_js, as: UTF8.self),
            String(decoding: PackageResources.words_js, as: UTF8.self),
        ] {
            #expect(!file.contains("innerHTML"))
            #expect(!file.contains("://"))
        }
    }

    @Test func itIsKeptFromOtherHostsAndOrigins() async throws {
        let service = try Service(http: "127.0.0.1:0")
        let port = try await service.port()
        let rebound = try await service.answer("GET", "/", host: "evil.example:\(port)", on: port)
        #expect(rebound.hasPrefix("HTTP/1.1 421"))
        for field in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"] {
            let other = try await service.answer(
                "GET", "/", [field], host: "127.0.0.1:\(port)", on: port)
            #expect(other.hasPrefix("HTTP/1.1 403"))
        }
        try await service.stop()
    }

    /// Browsers send a page's origin when it loads modules, such as its own scripts.
    @Test func itsOwnOriginIsNoOther() async throws {
        let service = try Service(http: "127.0.0.1:0")
        let port = try await service.port()
        for (host, origin, isIn) in [
            ("127.0.0.1:\(port)", "http://127.0.0.1:\(port)", true),
            ("localhost:\(port)", "http://localhost:\(port)", true),
            ("127.0.0.1:\(port)", "http://localhost:\(port)", false),
            ("127.0.0.1:\(port)", "http://127.0.0.1:\(port + 1)", false),
            ("127.0.0.1:\(port)", "http://127.0.0.1", false),
        ] {
            for path in ["/live.js", "/v1/status"] {
                let answer = try await service.answer(
                    "GET", path, ["Origin: \(origin)"], host: host, on: port)
                #expect(answer.hasPrefix(isIn ? "HTTP/1.1 200" : "HTTP/1.1 403"))
                #expect(!answer.lowercased().contains("access-control"))
            }
        }
        // No page can have the origin of a unix socket.
        let socket = try await service.answer("GET", "/live.js", ["Origin: http://localhost"])
        #expect(socket.hasPrefix("HTTP/1.1 403"))
        try await service.stop()
    }

    /// The page contains no events, and asks for the token itself.
    @Test func itNeedsNoTokenAndWhatItAsksForDoes() async throws {
        let folder = try TemporaryFolder()
        try Data("abcdefghijklmnop1234\n".utf8).write(
            to: URL(fileURLWithPath: folder.path("token")))
        let service = try Service(http: "127.0.0.1:0", token: folder.path("token"))
        let port = try await service.port()
        for (path, status) in [
            ("/", 200), ("/live.js", 200), ("/v1/status", 401), ("/v1/events", 401), ("/x", 401),
        ] {
            let answer = try await service.answer(
                "GET", path, host: "127.0.0.1:\(port)", on: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        }
        try await service.stop()
    }
}
