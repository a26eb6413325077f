import Testing

@testable import Catalog

/// Tests how columns are recognised, and which names stop the import because they are ambiguous.
@Suite struct ColumnMapTests {
    private func map(_ header: String, _ mappings: String...) throws -> ColumnMap {
        try ColumnMap(
            header: header.split(separator: ";", omittingEmptySubsequences: false).map(String.init),
            mappings: mappings.compactMap { ColumnMapping($0) })
    }

    /// Returns the mappings that the error suggests.
    private func choices(_ header: String) throws -> String? {
        let error = #expect(throws: ImportError.self) { try map(header) }?.description ?? ""
        let choices = try #require(error.firstMatch(of: /; write (.*), or --map attribute=COLUMN/))
        return String(choices.1).replacing("--map price=", with: "")
    }

    private func names(_ map: ColumnMap, _ field: CatalogField) -> [String] {
        (map.columns[field] ?? []).map { map.names[$0] }
    }

    @Test(arguments: [
        "price", "Preis", "VK-Preis", "Sales Price", "retail_price", "Regular price",
        "Variant Price",
        "prix TTC", "PVP", "Precio", "Verkaufspreis", "Цена", "价格", "Pris", "Harga Jual",
        "τιμή πώλησης", "売価",
    ])
    func aPriceIsRecognised(name: String) throws {
        #expect(try names(map("ean;\(name)"), .price) == [name])
        #expect(try names(map("ean;\(name);Cost price;unit price;EK-Preis;UVP"), .price) == [name])
    }

    @Test(arguments: [
        "price (EUR)", "gross price", "selling price", "list price", "Preis in €", "price_eur",
        "unit price", "Einzelpreis", "prix unitaire", "Sale price", "Angebotspreis", "Netto-VK",
        "Price Main Street", "Preis brutto inkl. MwSt", "sellingPrice", "VK1",
        "税込価格", "EUR", "Netto",
    ])
    func aNameThatMayBeThePriceStopsTheImport(name: String) throws {
        #expect(try choices("ean;name;\(name)") == ColumnMap.argument(name))
        #expect(try names(map("ean;name;\(name)", "price=\(name)"), .price) == [name])
        #expect(try map("ean;name;\(name)", "attribute=\(name)").columns[.price] == nil)
    }

    @Test(arguments: [
        "price;selling price", "Preis;price_eur", "Sales Price;Retail Price",
        "Price;Price Main Street", "unit price;total price", "list price;standard price",
    ])
    func twoColumnsThatMayBeThePriceStopTheImport(names: String) throws {
        let expected = names.split(separator: ";").map { ColumnMap.argument(String($0)) }
        #expect(try choices("ean;\(names)") == expected.joined(separator: " or "))
    }

    @Test(arguments: [
        "Cost price", "EK", "Einkaufspreis", "supply_price", "Price type", "Price list",
        "Preisgruppe", "Show price (0 = No, 1 = Yes)", "Variable price", "frais compris",
        "SKU of included item", "Parent SKU", "Vendor code", "Supplier SKU", "Barcode type",
    ])
    func otherNamesAreNoPriceAndNoCode(name: String) throws {
        let map = try map("ean;name;\(name)")
        #expect(map.columns[.price] == nil)
        #expect(names(map, .code) == ["ean"])
        #expect(map.attributes.map(\.name) == [name])
    }

    @Test func twoPricesOfOneNameAreOneTooMany() {
        #expect(throws: ImportError.repeatedColumn("price")) { try map("ean;price;Price") }
    }

    @Test func aFileWithoutAPriceIsTold() throws {
        #expect(
            try map("ean;name").lines(headerLine: 1).last == "no column is the price")
    }

    @Test(arguments: [
        ("a", "a"), ("b [c]", "\"b [c]\""), ("d'\"e", "'d'\\''\"e'"), ("$\u{301}", "'$\u{301}'"),
    ])
    func aNameIsWrittenAsAShellTakesIt(name: String, argument: String) {
        #expect(ColumnMap.argument(name) == argument)
    }

    @Test(arguments: [
        "GTIN, UPC, EAN, or ISBN", "GTIN, UPC, EAN oder ISBN", "EAN/UPC", "EAN-Code", "EAN 13",
        "UPC-A",
        "Variant SKU", "Custom SKU", "Manufact. SKU", "Barcode (EAN)", "Product UPC/EAN", "ean13",
    ])
    func aCodeIsRecognisedByItsWords(name: String) throws {
        #expect(try names(map("id;\(name)"), .code) == [name])
    }

    @Test func anArticleNumberIsTheIdOrACode() throws {
        #expect(try names(map("Artikelnummer;EAN"), .id) == ["Artikelnummer"])
        let both = try map("ID;Artikelnummer;EAN")
        #expect(names(both, .id) == ["ID"])
        #expect(names(both, .code) == ["EAN", "Artikelnummer"])
    }

    @Test func aSalePriceNeedsItsTimes() throws {
        let woo = "ID;SKU;Sale price;Regular price;Date sale price starts;Date sale price ends"
        let map = try map(woo)
        #expect(names(map, .price) == ["Regular price"])
        #expect(names(map, .salePrice) == ["Sale price"])
        #expect(names(map, .validFrom) == ["Date sale price starts"])
        let undated = try self.map("ID;SKU;Sale price;Regular price")
        #expect(undated.columns[.salePrice] == nil)
        #expect(undated.attributes.map(\.name) == ["Sale price"])
    }

    @Test func timesOfASaleAreNotThoseOfThePrice() throws {
        let map = try map("ID;Regular price;Date sale price starts")
        #expect(map.columns[.validFrom] == nil)
    }

    @Test func everyColumnIsTold() throws {
        #expect(
            try map("ID;EAN;Price;Cost price;Farbe").lines(headerLine: 3) == [
                "the header is in line 3", "columns: id=ID code=EAN price=Price",
                "not used as the price: \"Cost price\"", "kept as attributes: Farbe",
            ])
    }

    /// If an export is read again, an attribute stays an attribute, whatever its name.
    @Test(arguments: [
        "price", "Sale price", "list price", "EAN", "Variant SKU", "handle", "option1 value",
        "Farbe",
        "Date sale price ends", "attribute:x",
    ])
    func anAttributeStaysOneInAnExport(name: String) throws {
        let header = ColumnMap.header(forAttribute: name)
        let map = try map("id;code;name;price;currency;unit;\(header)")
        #expect(map.attributes.map(\.name) == [name])
        #expect(names(map, .price) == ["price"])
    }

    @Test func thePriceMayStandInTwoColumns() throws {
        let csv = "id,Price,Price Main\n1,1.00,2.00\n2,3.00,\n"
        let mappings = ["price=Price Main", "price=Price"].compactMap { ColumnMapping($0) }
        let catalog = try catalog(
            csv, ImportOptions(mappings: mappings, currency: Currency("EUR")))
        #expect(try catalog.product(id: "1")?.price?.amount == "2.00")
        #expect(try catalog.product(id: "2")?.price?.amount == "3.00")
    }

    @Test(arguments: [
        ("price (CHF)", "1.00 CHF"), ("Preis in €", "1.00 EUR"), ("price_sek", "1.00 SEK"),
    ])
    func theHeaderMayNameTheCurrency(name: String, price: String) throws {
        let mappings = [try #require(ColumnMapping("price=\(name)"))]
        let catalog = try catalog(
            "id;\(name)\n1;1,00\n", ImportOptions(mappings: mappings, currency: Currency("GBP")))
        #expect(try catalog.product(id: "1")?.price?.description == price)
    }

    /// Only the first row of an article with variants says whether it is sold.
    @Test func aConditionHoldsForAllVariants() throws {
        let csv = """
            Handle,Title,Option1 Value,Variant SKU,Variant Price,Status
            shirt,Shirt,M,S-M,24.90,active
            shirt,,L,S-L,24.90,
            hat,Hat,M,H-M,9.90,draft
            hat,,L,H-L,9.90,

            """
        var options = ImportOptions(currency: Currency("EUR"))
        options.conditions = [RowCondition("Status=active")].compactMap(\.self)
        let catalog = try catalog(csv, options)
        #expect(try catalog.count() == 2)
        #expect(try catalog.product(id: "shirt/L")?.name == "Shirt - L")
    }
}
