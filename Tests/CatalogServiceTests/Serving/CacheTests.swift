import Catalog
import Foundation
import HTTPTypes
import TestFolders
import TestWaiting
import Testing
import WebAPI

@testable import CatalogService

/// The file of a catalog, given by a real nginx that keeps it.
@Suite(.enabled(if: Proxy.isInstalled, "needs nginx"), .timeLimit(.minutes(10)))
struct CacheTests {
    private let scratch: TemporaryFolder
    private let shop: EmbeddedCatalog

    init() throws {
        scratch = try TemporaryFolder()
        shop = try EmbeddedCatalog(path: scratch.path("shop.sqlite"), access: .writing)
        try shop.take(
            "id,code,name\n" + (1...12_000).map { "\($0),C\($0),name \($0)\n" }.joined())
    }

    @Test func aRegisterTakesItsPartsFromTheCache() async throws {
        try await Service.run(shop.path) { service in
            let proxy = try Proxy(of: service.url, in: scratch)
            defer { proxy.end() }
            try await proxy.isUp()
            let client = try APIClient.plain()
            let url = proxy.url + "/v1/snapshot"
            func get(_ fields: HTTPFields) async throws -> Response {
                let request = Request(try Location(url), headers: fields, .get)
                return try await client.output(for: request, within: .patience).response()
            }
            let all = try await get([:])
            #expect(all.header("X-Cache") == "MISS")
            let tag = try unwrapped(all.headers[.eTag])
            let part = try await get([.range: "bytes=100-199", .ifRange: tag])
            #expect(part.status == .partialContent)
            #expect(part.header("X-Cache") == "HIT")
            #expect(part.payload == Array(all.payload[100..<200]))
            #expect(try await get([.ifNoneMatch: tag]).status == .notModified)
            #expect(try await get([.range: "bytes=999999999-"]).status.code == 416)

            let register = scratch.path("register.sqlite")
            let result = try await CatalogFollower(of: proxy.url).synchronise(path: register)
            #expect(result.summary.added == 12_000)
            #expect(result.requests == 3)
            #expect(try EmbeddedCatalog(path: register).revision() == shop.revision())
        }
    }
}

/// An nginx before a service, with the configuration of docs/catalog-service.md.
private struct Proxy {
    private static let program = "/usr/sbin/nginx"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    let url: String
    private let process = Process()

    init(of service: String, in scratch: TemporaryFolder) throws {
        let port = Int.random(in: 20_000..<30_000)
        url = "http://127.0.0.1:\(port)"
        let folder = scratch.path
        let configuration = """
            daemon off; pid \(folder)/nginx.pid; error_log \(folder)/nginx.log; worker_processes 1;
            events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/temp;
                fastcgi_temp_path \(folder)/f; uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
                proxy_cache_path \(folder)/cache keys_zone=keywedge:1m max_size=1g inactive=1d;
                server {
                    listen 127.0.0.1:\(port);
                    location = /v1/snapshot {
                        proxy_pass \(service);
                        proxy_cache keywedge; proxy_cache_revalidate on; proxy_cache_lock on;
                        add_header X-Cache $upstream_cache_status;
                    }
                    location / { proxy_pass \(service); }
                }
            }
            """
        let file = scratch.path("nginx.conf")
        try Data(configuration.utf8).write(to: URL(filePath: file))
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            "-p", folder, "-c", file, "-e", folder + "/nginx.log", "-g", "user root;",
        ]
        try process.run()
    }

    func isUp() async throws {
        let client = try APIClient.plain()
        let request = Request(try Location(url + "/v1/health"), headers: [:], .get)
        try await waitUntil("nginx") {
            guard case .response = await client.output(for: request, within: .seconds(5)) else {
                return false
            }
            return true
        }
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
