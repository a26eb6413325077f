/// What a column of a CSV file can hold, beside attributes.
package enum CatalogField: String, Hashable, Sendable, CaseIterable {
    /// What the shop calls the product by; unique.
    case id
    /// One or more codes; several columns may hold codes.
    case code
    /// The name.
    case name
    /// The price, with or without its currency.
    case price
    /// The currency of the price.
    case currency
    /// What the price is for.
    case unit
    /// From when on the price holds.
    case validFrom = "valid_from"
    /// Up to when the price holds.
    case validUntil = "valid_until"
    /// A price beside the usual one, which holds from `validFrom` to `validUntil`; only where it is
    /// mapped.
    case salePrice = "sale_price"
    /// The shop whose offer the row is; none for what all shops have.
    case scope
    /// Whether the shop, or every shop, has the product.
    case listed

    /// The fields of every export.
    static let always: [CatalogField] = [.id, .code, .name, .price, .currency, .unit]
}

extension CatalogField {
    /// The column names recognised, in lower case and without blanks and punctuation.
    ///
    /// Where a file has several of a field, the first in this list is taken and the others become
    /// attributes. Of codes all are taken.
    var recognisedNames: [String] {
        switch self {
        case .id: Self.idNames
        case .code: Self.codeNames
        case .name: Self.nameNames
        case .price: Self.priceNames
        case .currency:
            [
                "currency", "currencycode", "währung", "waehrung", "währungscode", "devise",
                "monnaie", "moneda", "divisa", "valuta", "moeda", "waluta", "iso4217",
            ]
        case .validFrom: ["validfrom"]
        case .validUntil: ["validuntil"]
        case .salePrice: []
        case .scope: ["scope"]
        case .listed: ["listed"]
        case .unit:
            [
                "unit", "uom", "unitofmeasure", "einheit", "mengeneinheit", "unité", "unite",
                "unidad", "unità", "unita", "unidade", "eenheid", "jednostka",
            ]
        }
    }

    private static let idNames = [
        "id", "productid", "itemid", "articleid", "productno", "productnumber", "itemno",
        "itemnumber", "articleno", "articlenumber", "artikelnummer", "artikelnr", "artnr",
        "artikelid", "produktid", "produktnummer", "référence", "reference", "réfproduit",
        "idproduit", "referencia", "idproducto", "codicearticolo", "artikelnummer",
    ]

    private static let codeNames = [
        "code", "codes", "barcode", "barcodes", "ean", "eans", "ean8", "ean13", "eancode", "gtin",
        "gtins", "gtin8", "gtin12", "gtin13", "gtin14", "upc", "upca", "upce", "upccode", "isbn",
        "isbn13", "sku", "skus", "plu", "plucode", "strichcode", "eannummer", "codebarre",
        "codebarres", "codesbarres", "codeàbarres", "codigodebarras", "códigodebarras",
        "códigobarras", "código", "codigo", "codiceabarre", "streepjescode", "kodkreskowy",
        "pzn", "pzn8", "ppn", "ntin", "hibc",
    ]

    private static let nameNames = [
        "name", "productname", "itemname", "articlename", "title", "artikel", "artikelname",
        "artikelbezeichnung", "bezeichnung", "produkt", "produktname", "nom", "nomproduit",
        "désignation", "designation", "libellé", "libelle", "nombre", "nombreproducto",
        "denominación", "denominacion", "nome", "naam", "nazwa", "description", "beschreibung",
        "descripción", "descripcion", "descrizione",
    ]

    private static let priceNames = [
        "price", "salesprice", "saleprice", "retailprice", "unitprice", "preis", "vk", "vkpreis",
        "vkbrutto", "verkaufspreis", "bruttopreis", "einzelpreis", "prix", "prixttc", "prixdevente",
        "prixunitaire", "pvp", "precio", "precioventa", "preciodeventa", "prezzo", "preço", "preco",
        "prijs", "cena",
    ]
}
