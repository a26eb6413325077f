import Foundation

/// What a column of a CSV file can hold.
package enum CatalogField: String, Hashable, Sendable, CaseIterable {
    /// What the shop calls the product by; unique.
    case id
    /// One or more codes; several columns may hold codes.
    case code
    /// The name.
    case name
    /// What a variant adds to the name, its size or colour; several columns may hold it.
    case variant
    /// What the variants of an article have in common; they stand one after the other.
    case group
    /// The price, with or without its currency; of several columns the first that is filled counts.
    case price
    /// The currency of the price.
    case currency
    /// What the price is for.
    case unit
    /// From when on the price holds.
    case validFrom = "valid_from"
    /// Up to when the price holds.
    case validUntil = "valid_until"
    /// A price beside the usual one, which holds from `validFrom` to `validUntil`.
    case salePrice = "sale_price"
    /// The shop whose offer the row is; none for what all shops have.
    case scope
    /// Whether the shop, or every shop, has the product.
    case listed
    /// None of these, whatever the column is called.
    case attribute

    /// The fields of every export.
    static let always: [CatalogField] = [.id, .code, .name, .price, .currency, .unit]

    /// Whether several columns may hold it.
    var mayRepeat: Bool { [.code, .variant, .price, .attribute].contains(self) }
}

extension CatalogField {
    /// The column names recognised, in lower case and without blanks and punctuation.
    ///
    /// If a file has several of a field, the first in this list counts and the others become attributes;
    /// of codes and variants all count. Prices are recognised by ``PriceName``.
    var recognisedNames: [String] { Self.recognised[self] ?? [] }

    private static let recognised: [CatalogField: [String]] = [
        .id: ids + articleNumbers, .code: otherCodes, .name: articleNames, .variant: variants,
        .group: ["handle", "urlhandle"], .currency: currencies, .unit: units,
        .validFrom: ["validfrom"], .validUntil: ["validuntil"], .scope: ["scope"],
        .listed: ["listed"],
    ]

    private static func list(_ names: String) -> [String] {
        names.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static let ids = list(
        """
        variantid internalvariantid variantidnoneditable id productid itemid articleid artikelid
        produktid idproduit idproducto externalid externeid systemid cloverid token
        internerschlüssel
        """)

    /// Numbers of articles: ids, and codes in a file that has other ids.
    static let articleNumbers = list(
        """
        productno productnumber itemno itemnumber articleno articlenumber artikelnummer artikelnr
        artnr produktnummer ordernumber référence reference réfproduit referencia codicearticolo
        """)

    /// Codes that ``CodeName`` does not recognise word by word.
    private static let otherCodes = list(
        """
        code codes plucode productcode productcodesku itemcode articlecode artikelcode internalreference
        internereferenz référenceinterne referenciainterna riferimentointerno defaultcode ugs
        codesbarres codeàbarres codigodebarras códigodebarras códigobarras código codigo
        codiceabarre codicebarre streepjescode kodkreskowy штрихкод штрихкодean 条码 バーコード
        """)

    private static let articleNames = list(
        """
        name productname itemname articlename title titel artikel artikelname artikelbezeichnung
        bezeichnung produkt produktname menuitem nom nomproduit désignation designation libellé
        libelle nombre nombreproducto denominación denominacion nome naam nazwa description
        beschreibung descripción descripcion descrizione наименование название 商品名 品名
        """)

    private static let variants = list(
        """
        variationname optionvalue1 option1value variantoptiononevalue optionvalue2 option2value
        variantoptiontwovalue optionvalue3 option3value variantoptionthreevalue
        """)

    private static let currencies = list(
        """
        currency currencycode pricecurrency retailpricecurrency währung waehrung währungscode devise monnaie moneda
        divisa valuta moeda waluta валюта iso4217
        """)

    private static let units = list(
        """
        unit uom unitofmeasure unitsofmeasure uomid einheit mengeneinheit maßeinheit masseinheit
        unité unite unidad unità unita unidade eenheid jednostka
        """)

    /// The times of a sale price, in a file that has one.
    static let saleStarts = list(
        """
        datesalepricestarts datumandemangebotspreisbeginnt datededébutdepromo
        díaenqueempiezaelpreciorebajado datadiiniziodelprezzoinofferta
        datadeiníciodepreçopromocional specialpricefromdate specialfromdate discountfrom
        """)
    static let saleEnds = list(
        """
        datesalepriceends datumandemangebotspreisendet datedefindepromo
        díaenqueterminaelpreciorebajado datadifinedelprezzoinofferta
        datadetérminodopreçopromocional specialpricetodate specialtodate discountto
        """)
}

/// The words of a column's name, which tell codes and prices in most languages.
enum ColumnName {
    /// The name in lower case, without blanks and punctuation.
    static func simplified(_ name: String) -> String {
        String(
            name.precomposedStringWithCanonicalMapping.lowercased().filter {
                $0.isLetter || $0.isNumber
            })
    }

    /// The words in lower case; `retailPrice` has two.
    static func words(_ name: String) -> [String] {
        var spaced = ""
        for character in name.precomposedStringWithCanonicalMapping {
            if character.isUppercase, spaced.last?.isLowercase == true { spaced.append(" ") }
            spaced.append(character.isLetter || character.isNumber ? character : " ")
        }
        return spaced.lowercased().split(separator: " ").map(String.init)
    }
}

/// What a column of codes holds, by the words of its name: `GTIN, UPC, EAN, or ISBN`, `Variant SKU`.
enum CodeName {
    /// Numbers that are printed on goods, and so are GTINs.
    case printed
    /// The shop's or the maker's own numbers, whose zeros nobody can know.
    case own

    /// Nil for the name of another column.
    init?(_ name: String) {
        let words = ColumnName.words(name)
        guard words.allSatisfy({ Self.codes[$0] != nil || Self.fillers.contains($0) }),
            let first = words.lazy.compactMap({ Self.codes[$0] }).first
        else { return nil }
        self = first
    }

    private static let codes: [String: CodeName] = {
        var codes: [String: CodeName] = [:]
        let printed = """
            barcode barcodes ean eans ean8 ean13 eancode eannummer gtin gtins gtin8 gtin12 gtin13
            gtin14 upc upca upce upccode isbn isbn13 jan strichcode codebarre codebarres
            """
        for name in printed.split(whereSeparator: \.isWhitespace) { codes[String(name)] = .printed }
        for name in ["sku", "skus", "plu", "pzn", "pzn8", "ppn", "ntin", "hibc"] {
            codes[name] = .own
        }
        return codes
    }()

    private static let fillers: Set<String> = [
        "a", "e", "8", "12", "13", "14", "or", "oder", "ou", "o", "of", "and", "und", "et", "the",
        "code", "codes", "number", "numbers", "nummer", "no", "nr", "product", "produkt", "item",
        "article", "artikel", "variant", "main", "primary", "custom", "manufact", "manufacturer",
        "etc",
    ]
}
