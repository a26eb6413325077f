import Barcodes
import Catalog
import Foundation
import Testing
import WireText

/// Tests prices that hold for a time.
@Suite struct DatedPriceTests {
    private func catalog(_ csv: String, zone: String? = nil) throws -> CatalogFile {
        let catalog = try CatalogFile.inMemory()
        try take(csv, into: catalog, zone: zone)
        return catalog
    }

    @discardableResult
    private func take(
        _ csv: String, into catalog: CatalogFile, zone: String? = nil,
        _ mappings: [ColumnMapping] = []
    ) throws -> ImportSummary {
        try catalog.take(csv) {
            ($0.mappings, $0.timeZone) = (mappings, zone.flatMap { TimeZone(identifier: $0) })
        }
    }

    /// Returns the price of product 1 at a time.
    private func price(_ catalog: CatalogFile, _ time: String) throws -> String? {
        let moment = try #require(RFC3339.microseconds(time))
        return try catalog.product(id: "1")?.priced(at: moment).price?.amount
    }

    private static let week = """
        id,ean,name,price,valid_from,valid_until
        1,4006381333931,Pencil,1.99,,
        1,,,1.49,2026-12-01T08:00:00+01:00,2026-12-06T20:00:00+01:00
        1,,,0.99,2026-12-05T00:00:00+01:00,2026-12-06T00:00:00+01:00
        2,,Pen,3,,

        """

    @Test(arguments: [
        ("2026-12-01T06:59:59.999999Z", "1.99"), ("2026-12-01T07:00:00Z", "1.49"),
        ("2026-12-04T23:00:00Z", "0.99"), ("2026-12-05T22:59:59Z", "0.99"),
        ("2026-12-05T23:00:00Z", "1.49"), ("2026-12-06T19:00:00Z", "1.99"),
        ("1999-01-01T00:00:00Z", "1.99"),
    ])
    func theTimeOfTheScanDecidesWhateverTheOrderOfTheRows(time: String, expected: String) throws {
        let lines = Self.week.split(separator: "\n").map(String.init)
        for rows in [Array(lines[1...]), lines[1...].reversed()] {
            let catalog = try catalog(([lines[0]] + rows).joined(separator: "\n") + "\n")
            #expect(try price(catalog, time) == expected)
            #expect(try catalog.product(id: "1")?.name == "Pencil")
        }
    }

    @Test func ofPricesThatBeginTogetherTheOneThatEndsFirstHolds() throws {
        let rows = [
            "1,1.49,2026-12-01T00:00:00Z,2026-12-06T00:00:00Z",
            "1,0.99,2026-12-01T00:00:00Z,2026-12-02T00:00:00Z",
        ]
        for rows in [rows, rows.reversed()] {
            let header = "id,price,valid_from,valid_until\n"
            let catalog = try catalog(header + rows.joined(separator: "\n") + "\n")
            #expect(try price(catalog, "2026-12-01T00:00:00Z") == "0.99")
            #expect(try price(catalog, "2026-12-01T23:59:59.999999Z") == "0.99")
            #expect(try price(catalog, "2026-12-02T00:00:00Z") == "1.49")
            #expect(try price(catalog, "2026-12-06T00:00:00Z") == nil)
        }
    }

    @Test func aFileWithTimesSaysAllPricesOfItsProductsAndNoOthers() throws {
        let catalog = try catalog(Self.week)
        let summary = try take("id,price,valid_from\n1,0.5,2027-01-01T00:00:00Z\n", into: catalog)
        #expect(summary.updated == 1)
        #expect(try price(catalog, "2026-12-05T12:00:00Z") == "1.99")
        #expect(try price(catalog, "2027-12-05T12:00:00Z") == "0.50")
        try take("id,name\n1,Bleistift\n", into: catalog)
        #expect(try price(catalog, "2027-12-05T12:00:00Z") == "0.50")
        try take("id,price,valid_from\n1,2.5,\n", into: catalog)
        #expect(try catalog.product(id: "1")?.datedPrices == [])
        #expect(try catalog.product(id: "1")?.price?.amount == "2.50")
    }

    @Test func aPromotionAloneLeavesTheProductAsItIs() throws {
        let catalog = try catalog(Self.week)
        let summary = try take(
            "id,ean,name,price,valid_until\n1,,,0.5,2026-01-01T00:00:00Z\n", into: catalog)
        #expect(summary.updated == 1 && summary.unchanged == 0)
        #expect(try catalog.product(id: "1")?.name == "Pencil")
        #expect(try catalog.product(id: "1")?.codes == ["4006381333931"])
        #expect(try price(catalog, "2025-12-31T23:59:59Z") == "0.50")
        #expect(try price(catalog, "2026-12-05T12:00:00Z") == "1.99")
    }

    @Test func aSaleStandsBesideTheUsualPrice() throws {
        let mappings = [
            "price=regular", "sale_price=sale", "valid_from=from", "valid_until=to",
        ].compactMap { ColumnMapping($0) }
        let catalog = try CatalogFile.inMemory()
        let csv = """
            id,regular,sale,from,to
            1,1.19,0.99,2026-12-01,2026-12-06
            2,2.00,1.50,,
            3,3.00,,2020-01-01,2020-01-02

            """
        try take(csv, into: catalog, zone: "Europe/Berlin", mappings)
        #expect(try price(catalog, "2026-11-30T22:59:59Z") == "1.19")
        #expect(try price(catalog, "2026-11-30T23:00:00Z") == "0.99")
        #expect(try price(catalog, "2026-12-06T22:59:59Z") == "0.99")
        #expect(try price(catalog, "2026-12-06T23:00:00Z") == "1.19")
        #expect(try catalog.product(id: "2")?.price?.amount == "2.00")
        #expect(try catalog.product(id: "2")?.attributes == ["sale": "1.50"])
        #expect(try catalog.product(id: "1")?.attributes == [:])
        #expect(try catalog.product(id: "3")?.price?.amount == "3.00")
        #expect(try catalog.product(id: "3")?.datedPrices == [])
    }

    @Test(arguments: [
        ("2026-12-01 08:00:00+01", "2026-12-01T07:00:00Z"),
        ("2026-12-01T08:00:00.5-03:30", "2026-12-01T11:30:00.500000Z"),
        ("2026-07-01T08:00", "2026-07-01T06:00:00Z"), ("20261201", "2026-11-30T23:00:00Z"),
        ("01.12.2026", "2026-11-30T23:00:00Z"), ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("2026-12-01 08:30:15", "2026-12-01T07:30:15Z"),
        // Clocks go from 2:00 to 3:00 in March, and from 3:00 to 2:00 in October.
        ("2026-03-29T02:30", "2026-03-29T01:30:00Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
    ])
    func timesAreReadAsSystemsWriteThem(text: String, expected: String) throws {
        let catalog = try catalog("id,price,valid_from\n1,1,\(text)\n", zone: "Europe/Berlin")
        let from = try #require(try catalog.product(id: "1")?.datedPrices.first?.from)
        #expect(RFC3339.text(from) == expected)
    }

    @Test(arguments: [
        ("1,1,2026-12-01,", "The time \"2026-12-01\" is local; expected its offset"),
        ("1,1,soon,", "The time \"soon\" cannot be read"),
        ("1,1,2026-02-30T00:00:00Z,", "cannot be read"),
        ("1,1,2026-12-01T25:00:00Z,", "cannot be read"),
        ("1,,2026-12-01T00:00:00Z,", "The row says when a price holds, and has none"),
        ("1,1,2026-12-02T00:00:00Z,2026-12-02T00:00:00Z", "expected an end after the beginning"),
    ])
    func whatIsNoTimeIsAnError(row: String, reason: String) throws {
        let found = try invalidRows("id,price,valid_from,valid_until\n\(row)\n")
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test(arguments: [
        ("infinity,", "valid_from", "infinity"), ("31.12.9999,", "valid_from", "31.12.9999"),
        ("9999-12-31 23:59:59,2026-12-01", "valid_from", "9999-12-31 23:59:59"),
        (",-infinity", "valid_until", "-infinity"),
        ("-infinity,-Infinity", "valid_until", "-Infinity"),
    ])
    func aPriceThatNeverHoldsIsAnError(times: String, column: String, found: String) throws {
        let bound = column == "valid_from" ? "-infinity" : "infinity"
        #expect(
            try invalidRows("id,price,valid_from,valid_until\n1,0.10,\(times)\n") == [
                "Line 2: The column \"\(column)\" holds \"\(found)\", and the price would never hold; "
                    + "expected a time, \(bound) or nothing."
            ])
    }

    @Test func aSaleThatNeverHoldsIsAnErrorOfItsColumn() throws {
        let tried = try TriedImport("id,price,sale,from\n1,0.89,0.10,infinity\n") {
            $0.mappings = ["sale_price=sale", "valid_from=from"].compactMap { ColumnMapping($0) }
        }
        #expect(tried.invalid.map { $0.contains("\"from\" holds \"infinity\"") } == [true])
    }

    @Test(arguments: [
        (",", true), ("-infinity,", true), ("-infinity,infinity", true), (",31.12.9999", true),
        (",infinity", true), ("2026-12-01T00:00:00Z,31.12.9999", false),
        ("2026-12-01T00:00:00Z,infinity", false),
        ("2026-12-01T00:00:00Z,9999-12-31 23:59:59", false),
    ])
    func aPriceWithoutBoundsIsTheUsualOne(times: String, isUsual: Bool) throws {
        let catalog = try catalog("id,price,valid_from,valid_until\n1,0.89,\(times)\n")
        let product = try #require(try catalog.product(id: "1"))
        #expect((product.price != nil) == isUsual && product.datedPrices.isEmpty == isUsual)
        #expect(product.datedPrices.first?.until == nil)
        #expect(try price(catalog, "2999-01-01T00:00:00Z") == "0.89")
    }

    @Test func aLookupHasThePricesOfTheTimeItIsGiven() throws {
        let match = try #require(
            try catalog(Self.week).match(for: BarcodeDecoder().decode("4006381333931")))
        let sale = try #require(RFC3339.microseconds("2026-12-05T12:00:00Z"))
        #expect(match.priced(at: sale).product.price?.amount == "0.99")
        #expect(match.product.price?.amount == "1.99")
    }
}
