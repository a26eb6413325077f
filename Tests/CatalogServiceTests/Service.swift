import Barcodes
import Catalog
import Foundation
import HTTPService
import HTTPTypes
import Logging
import ServiceLifecycle
import TestFolders
import TestWaiting
import WebAPI
import WireText

@testable import CatalogService

/// A running `CatalogServer`, with a client for it.
struct Service: Sendable {
    let url: String
    let port: Int
    private let client: APIClient

    /// Starts a service on a free port, calls `body` with it, and stops it.
    static func run<Value: Sendable>(
        _ path: String, feed: String? = nil, token: String? = nil,
        identity: ServerIdentity? = nil,
        limits: ConnectionLimits = .patient,
        grace: Duration = .seconds(120),
        _ body: @Sendable (Service) async throws -> Value
    ) async throws -> Value {
        let (places, placed) = AsyncStream<String>.makeStream()
        let address = try unwrapped(ListenAddress("127.0.0.1:0"))
        var server = try CatalogServer(
            catalog: path, feed: feed, at: address,
            token: token.map { try unwrapped(BearerToken($0)) },
            identity: identity, log: .silent
        ) { placed.yield($0) }
        server.limits = limits
        var lifecycle = ServiceGroupConfiguration(
            services: [server], logger: .silent)
        lifecycle.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: lifecycle)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { placed.finish() }
                try await group.run()
            }
            var iterator = places.makeAsyncIterator()
            guard let url = await iterator.next() else {
                try await tasks.next()
                throw NotStarted()
            }
            let value = await Swift.Result.catching {
                try await body(
                    Service(url: url, port: unwrapped(URL(string: url)?.port), client: .plain()))
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try value.get()
        }
    }

    private struct NotStarted: Error {}

    /// Sends a request for a path and query.
    func get(
        _ target: String, _ fields: HTTPFields = [:], _ method: MethodAndPayload = .get
    ) async throws -> Response {
        let request = Request(try Location(url + target), headers: fields, method)
        return try await client.output(for: request, within: .patience).response()
    }

    /// Looks up a code, and returns the product's id, or nil.
    func id(_ code: String) async throws -> String? {
        let request = Request(try Address(url + "/v1/lookup"), queries: [Query("code", code)])
        let response = try await client.output(for: request, within: .patience).response()
        return try response.json().text("/products/0/id")
    }
}

extension ConnectionLimits {
    /// The standard limits, but with times that are long enough for a busy machine.
    static var patient: ConnectionLimits {
        ConnectionLimits(request: .patience, writing: .patience)
    }
}

extension Logger {
    /// A logger that discards everything.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension JSONValue {
    /// The value at a JSON pointer, or nil.
    func at(_ pointer: String) -> JSONValue? { JSONPointer(pointer).flatMap { self[$0] } }

    /// The string at a JSON pointer, or nil.
    func text(_ pointer: String) -> String? { at(pointer)?.string }

    /// The strings under a key in the elements of the list at a JSON pointer.
    func texts(_ pointer: String, _ key: String) -> [String] {
        (at(pointer)?.array ?? []).compactMap { $0.text("/" + key) }
    }
}

extension APIClient {
    static func plain() throws -> APIClient {
        try APIClient(
            transport: AsyncHTTPClientTransport(
                limits: TransportLimits(
                    connect: .patience, responseBytes: 64 << 20, connectionsPerServer: 64)))
    }
}

extension Swift.Result where Failure == any Error {
    static func catching(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

extension Output {
    /// Returns the response, or throws the reason for its absence.
    func response() throws -> Response {
        switch self {
        case .response(let response): return response
        case .noResponse(let error): throw error
        }
    }
}

/// A folder with a catalog to serve.
struct Shop: Sendable {
    let scratch: TemporaryFolder
    let path: String

    init(_ csv: String) throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        try take(csv)
    }

    @discardableResult
    func take(_ csv: String) throws -> ImportSummary {
        try CatalogFile(path: path, access: .writing).take(csv)
    }
}

extension CatalogFile {
    @discardableResult
    func take(_ csv: String) throws -> ImportSummary {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try importCSV(folder.write(csv, to: "products.csv"))
    }

    /// Adds products unchanged; an import would correct some of their codes.
    func add(_ products: [Product]) throws {
        try write(whole: false) { add in try products.forEach(add) }
    }
}

/// Returns a value, or throws if it is nil.
func unwrapped<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

private struct Missing: Error {}
