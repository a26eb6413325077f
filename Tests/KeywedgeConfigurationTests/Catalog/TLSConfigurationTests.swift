import HTTPCatalog
import KeywedgeConfiguration
import TestFolders
import Testing
import WebAPI

struct TLSConfigurationTests {
    private static let tls = """
        {ca_file: "credential:ca", only_ca_file: true, certificate_file: "credential:cert",
        key_file: "credential:key"}
        """

    private static func configurations() throws -> [TLSConfiguration] {
        let text = """
            catalog:
              sources:
                - http:
                    name: stock
                    url: https://stock.example
                    request: {path: "/{code}"}
                    product: {id: /id, name: /name}
                    tls: \(tls.replacing("\n", with: " "))
            events:
              - webhook:
                  url: https://erp.example
                  secret_file: erp
                  tls: \(tls.replacing("\n", with: " "))
            """
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        let catalogs = configuration.catalog.sources.compactMap { source in
            if case .http(let catalog) = source { catalog.tls } else { nil }
        }
        return catalogs + configuration.events.map(\.settings.tls)
    }

    @Test func eachFileCanBeACredentialOfTheServiceManager() throws {
        let folder = try TemporaryFolder()
        for name in ["ca", "cert", "key"] { try folder.write(name, to: name) }
        let configurations = try Self.configurations()
        #expect(configurations.count == 2)
        for tls in configurations {
            let options = try tls.options(
                for: "x", SecretReader(credentialsFolder: folder.path))
            guard case .only(let authorities) = options.trust else {
                Issue.record("\(options.trust)")
                continue
            }
            #expect(authorities == [Array("ca".utf8)])
            #expect(options.clientCertificate?.chain == Array("cert".utf8))
            #expect(options.clientCertificate?.key == Array("key".utf8))
        }
    }

    @Test func aCredentialThatIsMissingIsNamed() throws {
        let tls = try #require(try Self.configurations().first)
        let folder = try TemporaryFolder()
        let missing = #expect(throws: CatalogOpeningError.self) {
            _ = try tls.options(for: "x", SecretReader(credentialsFolder: folder.path))
        }
        #expect(missing?.reason.contains("\"credential:ca\" cannot be read") == true)
        let none = #expect(throws: CatalogOpeningError.self) {
            _ = try tls.options(for: "x", SecretReader())
        }
        #expect(none?.reason.contains("expected LoadCredential=ca in the unit") == true)
    }
}
