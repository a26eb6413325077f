import Foundation

package enum CatalogField: String, Hashable, Sendable, CaseIterable {
    case id
    /// One or more of the product's codes; several columns may contain codes.
    case code
    case name
    /// A detail that distinguishes a variant, such as its size or colour.
    case variant
    /// The article of a variant; consecutive rows with the same value belong together.
    case group
    /// The price, with or without its currency; a row's first non-empty price is used.
    case price
    case currency
    /// The unit to which the price applies, such as `kg`.
    case unit
    /// The start of the price's validity; ``validUntil`` is its end.
    case validFrom = "valid_from"
    case validUntil = "valid_until"
    /// A reduced price, which replaces the usual one from `validFrom` to `validUntil`.
    case salePrice = "sale_price"
    /// The shop to which the row applies; empty if it applies to all shops.
    case scope
    /// Whether the row's shop sells the product; in a row without a shop, whether all shops sell it.
    case listed
    /// An attribute of the product, named after the column.
    case attribute

    var mayRepeat: Bool { [.code, .variant, .price, .attribute].contains(self) }

    /// The column names recognised as this field, preferred ones first; ``ColumnName`` recognises more.
    var recognisedNames: [String] {
        let names = NameList.table[rawValue] ?? []
        return self == .id ? names + NameList.number.names : names
    }
}

/// A list of column names, or of words in them, in lower case without spaces or punctuation.
enum NameList: String {
    case price
    /// Columns of article numbers, which become ids unless another column contains the ids.
    case number
    /// Columns that say when a sale price starts (`specialfromdate`) or ends (`specialtodate`).
    case saleStart, saleEnd
    /// Words for barcode numbers (`ean`) or other numbers (`sku`), and words to ignore (`the`).
    case printed, own, filler
    /// Columns of codes that are not GTINs, so their lost leading zeros cannot be restored.
    case ownCode
    /// Words in column names that indicate a price (`prix`), a yes/no question (`show`) or a price detail (`currency`).
    case priceWord, question, facet
    /// Columns such as `netto`, which become the price only if the user chooses them with `--map`.
    case bare
    /// Words that indicate a purchase price (`einkauf`), a sale price (`promo`), or another price (`grundpreis`); a
    /// word of more than five bytes also matches longer words that begin with it.
    case cost, sale, other
    case total

    /// The column names or words in this list, the preferred ones first.
    var names: [String] { Self.table[rawValue] ?? [] }

    func contains(_ name: String) -> Bool { names.contains(name) }

    static let table = wordTable(text) { $0.hasSuffix(":") ? String($0.dropLast()) : nil }

    private static let text = """
        id: variantid internalvariantid variantidnoneditable id productid itemid articleid artikelid produktid
            idproduit idproducto externalid externeid systemid cloverid token internerschlüssel
        number: productno productnumber itemno itemnumber articleno articlenumber artikelnummer artikelnr artnr
            produktnummer ordernumber référence reference réfproduit referencia codicearticolo
        code: code codes plucode productcode productcodesku itemcode articlecode artikelcode internalreference
            internereferenz référenceinterne referenciainterna riferimentointerno defaultcode ugs codesbarres
            codeàbarres codigodebarras códigodebarras códigobarras código codigo codiceabarre codicebarre
            streepjescode kodkreskowy штрихкод штрихкодean 条码 バーコード
        name: name productname itemname articlename title titel artikel artikelname artikelbezeichnung bezeichnung
            produkt produktname menuitem nom nomproduit désignation designation libellé libelle nombre
            nombreproducto denominación denominacion nome naam nazwa description beschreibung descripción
            descripcion descrizione наименование название 商品名 品名
        variant: variationname optionvalue1 option1value variantoptiononevalue optionvalue2 option2value
            variantoptiontwovalue optionvalue3 option3value variantoptionthreevalue
        group: handle urlhandle
        currency: currency currencycode pricecurrency retailpricecurrency währung waehrung währungscode devise
            monnaie moneda divisa valuta moeda waluta валюта iso4217
        unit: unit uom unitofmeasure unitsofmeasure uomid einheit mengeneinheit maßeinheit masseinheit unité unite
            unidad unità unita unidade eenheid jednostka
        valid_from: validfrom
        valid_until: validuntil
        scope: scope
        listed: listed
        saleStart: datesalepricestarts datumandemangebotspreisbeginnt datededébutdepromo
            díaenqueempiezaelpreciorebajado datadiiniziodelprezzoinofferta datadeiníciodepreçopromocional
            specialpricefromdate specialfromdate discountfrom
        saleEnd: datesalepriceends datumandemangebotspreisendet datedefindepromo díaenqueterminaelpreciorebajado
            datadifinedelprezzoinofferta datadetérminodopreçopromocional specialpricetodate specialtodate discountto
        price: price salesprice retailprice regularprice variantprice defaultprice productprice itemprice preis vk
            vkpreis vkbrutto bruttovk vkpreisbrutto vkbruttopreis stdvkbrutto verkaufspreis bruttopreis ladenpreis
            regulärerpreis regulärpreis prix prixttc prixdevente prixdeventettc tarifrégulier pvp precio precioventa
            preciodeventa precionormal prezzo prezzodivendita prezzodilistino preço preco preçodevenda preçonormal
            prijs verkoopprijs cena cenabrutto цена розничнаяцена ценапродажи pris salgspris försäljningspris hinta
            myyntihinta harga hargajual fiyat satışfiyatı kaina cijena pret preț ár τιμή τιμήπώλησης giá giábán
            السعر 价格 售价 零售价 価格 売価 販売価格 가격 판매가
        printed: barcode barcodes ean eans ean8 ean13 eancode eannummer gtin gtins gtin8 gtin12 gtin13 gtin14 upc
            upca upce upccode isbn isbn13 jan strichcode codebarre codebarres
        own: sku skus plu pzn pzn8 ppn ntin hibc
        filler: a e 8 12 13 14 or oder ou o of and und et the code codes number numbers nummer no nr product produkt
            item article artikel variant main primary custom manufact manufacturer etc
        ownCode: plucode internalreference internereferenz defaultcode
        priceWord: price prices preise prix precio precios prezzo prezzi preço preços preco precos pris hinta cena
            ceny cene cijena vk pvp tarif msrp mrp uvp rrp harga fiyat kaina pret preț ár τιμή цена цены giá السعر
            単価 salgspris utsalgspris försäljningspris 판매가
        bare: eur usd gbp chf netto brutto retail betrag
        question: show hide has is open allow ask variable includes include
        facet: type types list lists level tier unit rule group id name note currency date from until change changed
            updated category formula starts ends method measure range valid
        cost: cost costs costprice kosten coût purchase buying einkauf ek ekpreis wholesale großhandel supply
            supplier vendor dealer händler achat compra coste custo acquisto inkoop zakupu закупочная
        sale: sale saleprice special promo promotion offer discount reduced aktion actie actieprijs angebotspreis
            sonder rabatt rebajado oferta offerta clearance
        other: unit unitprice unitaire unitario grundpreis angebotsgrund per pro je kg compare comparison vergleich
            old alt alter was original before previous statt stattpreis streich pseudo msrp uvp rrp map recommended
            suggested empfohlen conseillé member loyalty deposit pfand shipping versand staffel
        total: total totals grandtotal sum summe gesamt gesamtsumme zwischensumme subtotal totale totaal suma soma
            razem celkem итого 合计 合計
        """
}

/// Parses a list in which each key is followed by its words, all separated by whitespace.
///
/// `key` returns nil for a word that is not a key.
func wordTable<Key>(_ text: String, key: (String) -> Key?) -> [Key: [String]] {
    var table: [Key: [String]] = [:]
    var last: Key?
    for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
        let next = key(word)
        last = next ?? last
        if next == nil, let last { table[last, default: []].append(word) }
    }
    return table
}

/// A column's name; words in many languages show whether the column contains codes or prices.
struct ColumnName {
    /// The prefix of a column name that makes the column an attribute.
    static let attributePrefix = "attribute:"

    /// The name's letters and digits in lower case; a name with ``attributePrefix`` is unchanged.
    let simple: String
    /// The words of the name, in lower case; `retailPrice` has two.
    private let words: [String]

    init(_ name: String) {
        let composed = name.precomposedStringWithCanonicalMapping
        let letters = composed.lowercased().filter { $0.isLetter || $0.isNumber }
        simple = name.hasPrefix(Self.attributePrefix) ? name : letters
        var spaced = ""
        for character in composed {
            if character.isUppercase, spaced.last?.isLowercase == true { spaced.append(" ") }
            spaced.append(character.isLetter || character.isNumber ? character : " ")
        }
        words = spaced.lowercased().split(separator: " ").map(String.init)
    }

    func isIn(_ lists: NameList...) -> Bool { lists.contains { $0.contains(simple) } }

    var lastWord: String? { words.last }

    /// Whether the name says that the column contains codes, as `Variant SKU` and `GTIN, UPC, EAN, or ISBN` do.
    var isCode: Bool {
        let codes = words.filter { !NameList.filler.contains($0) }
        return !codes.isEmpty
            && codes.allSatisfy { NameList.printed.contains($0) || NameList.own.contains($0) }
    }

    /// Whether the column contains a shop's or maker's own numbers.
    var isOwnCode: Bool {
        let first = words.first { !NameList.filler.contains($0) } ?? ""
        return isCode && NameList.own.contains(first) || isIn(.number, .ownCode)
    }

    /// The kind of price in a column.
    ///
    /// `other` includes prices per kilogram. `unclear` means that the column's name does not show the kind.
    enum Price { case usual, sale, cost, other, unclear }

    /// The kind of price in the column; nil if the name does not indicate a price.
    var price: Price? {
        if isIn(.price) { return .usual }
        if isIn(.bare) { return .other }
        guard !isIn(.saleStart, .saleEnd), let place = words.lastIndex(where: Self.isPrice),
            !words.contains(where: NameList.question.contains),
            !words[place...].contains(where: NameList.facet.contains)
        else { return nil }
        func has(_ list: NameList) -> Bool {
            words.contains { word in
                list.names.contains { word == $0 || $0.utf8.count > 5 && word.hasPrefix($0) }
            }
        }
        return has(.cost) ? .cost : has(.sale) ? .sale : has(.other) ? .other : .unclear
    }

    private static func isPrice(_ word: String) -> Bool {
        // A number at the end distinguishes several columns of prices, as in `VK1`.
        let word = String(word.reversed().drop(while: \.isNumber).reversed())
        return NameList.priceWord.contains(word)
            || ["preis", "price", "prijs", "価格", "价格", "售价", "売価", "가격"].contains(
                where: word.hasSuffix)
    }
}
