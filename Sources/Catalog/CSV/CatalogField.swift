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

    /// Whether several columns may hold it.
    var mayRepeat: Bool { [.code, .variant, .price, .attribute].contains(self) }

    /// The column names recognised; of several the first counts, and the others become attributes.
    ///
    /// ``CodeName`` and ``PriceName`` recognise columns of codes and prices besides.
    var recognisedNames: [String] {
        let names = NameList(rawValue: rawValue)?.names ?? []
        return self == .id ? names + NameList.number.names : names
    }
}

/// The names of columns, in lower case and without blanks and punctuation; and words of such names.
enum NameList: String {
    case id, code, name, variant, group, price, currency, unit, scope, listed
    case validFrom = "valid_from"
    case validUntil = "valid_until"
    /// Numbers of articles: ids, and codes in a file that has other ids.
    case number
    /// The times of a sale price, in a file that has one.
    case saleStart, saleEnd
    /// Words for numbers printed on goods; for the shop's or the maker's own; and what may stand beside them.
    case printed, own, filler
    /// Columns of numbers that may lack zeros, since they are no GTINs.
    case ownCode
    /// Words that mean a price; that ask a question, whose answer is yes or no; and that say something
    /// else about a price after naming it.
    case priceWord, question, facet
    /// Names that mean a price if no other column is one.
    case bare
    /// Words of prices that are not the usual one. A longer word may begin with one of more than five letters.
    case cost, sale, other
    /// Texts in place of a product: a sum.
    case total

    /// The names, the preferred first.
    var names: [String] { Self.table[self] ?? [] }

    func contains(_ name: String) -> Bool { names.contains(name) }

    private static let table: [NameList: [String]] = {
        var table: [NameList: [String]] = [:]
        var list = NameList.id
        for word in text.split(whereSeparator: \.isWhitespace) {
            if word.hasSuffix(":"), let next = NameList(rawValue: String(word.dropLast())) {
                list = next
            } else {
                table[list, default: []].append(String(word))
            }
        }
        return table
    }()

    private static let text = """
        id: variantid internalvariantid variantidnoneditable id productid itemid articleid artikelid
            produktid idproduit idproducto externalid externeid systemid cloverid token internerschlüssel
        number: productno productnumber itemno itemnumber articleno articlenumber artikelnummer artikelnr
            artnr produktnummer ordernumber référence reference réfproduit referencia codicearticolo
        code: code codes plucode productcode productcodesku itemcode articlecode artikelcode
            internalreference internereferenz référenceinterne referenciainterna riferimentointerno
            defaultcode ugs codesbarres codeàbarres codigodebarras códigodebarras códigobarras código
            codigo codiceabarre codicebarre streepjescode kodkreskowy штрихкод штрихкодean 条码 バーコード
        name: name productname itemname articlename title titel artikel artikelname artikelbezeichnung
            bezeichnung produkt produktname menuitem nom nomproduit désignation designation libellé libelle
            nombre nombreproducto denominación denominacion nome naam nazwa description beschreibung
            descripción descripcion descrizione наименование название 商品名 品名
        variant: variationname optionvalue1 option1value variantoptiononevalue optionvalue2 option2value
            variantoptiontwovalue optionvalue3 option3value variantoptionthreevalue
        group: handle urlhandle
        currency: currency currencycode pricecurrency retailpricecurrency währung waehrung währungscode
            devise monnaie moneda divisa valuta moeda waluta валюта iso4217
        unit: unit uom unitofmeasure unitsofmeasure uomid einheit mengeneinheit maßeinheit masseinheit
            unité unite unidad unità unita unidade eenheid jednostka
        valid_from: validfrom
        valid_until: validuntil
        scope: scope
        listed: listed
        saleStart: datesalepricestarts datumandemangebotspreisbeginnt datededébutdepromo
            díaenqueempiezaelpreciorebajado datadiiniziodelprezzoinofferta datadeiníciodepreçopromocional
            specialpricefromdate specialfromdate discountfrom
        saleEnd: datesalepriceends datumandemangebotspreisendet datedefindepromo
            díaenqueterminaelpreciorebajado datadifinedelprezzoinofferta datadetérminodopreçopromocional
            specialpricetodate specialtodate discountto
        price: price salesprice retailprice regularprice variantprice defaultprice productprice itemprice
            preis vk vkpreis vkbrutto bruttovk vkpreisbrutto vkbruttopreis stdvkbrutto verkaufspreis
            bruttopreis ladenpreis regulärerpreis regulärpreis prix prixttc prixdevente prixdeventettc
            tarifrégulier pvp precio precioventa preciodeventa precionormal prezzo prezzodivendita
            prezzodilistino preço preco preçodevenda preçonormal prijs verkoopprijs cena cenabrutto цена
            розничнаяцена ценапродажи pris salgspris försäljningspris hinta myyntihinta harga hargajual fiyat
            satışfiyatı kaina cijena pret preț ár τιμή τιμήπώλησης giá giábán السعر 价格 售价 零售价 価格 売価
            販売価格 가격 판매가
        printed: barcode barcodes ean eans ean8 ean13 eancode eannummer gtin gtins gtin8 gtin12 gtin13
            gtin14 upc upca upce upccode isbn isbn13 jan strichcode codebarre codebarres
        own: sku skus plu pzn pzn8 ppn ntin hibc
        filler: a e 8 12 13 14 or oder ou o of and und et the code codes number numbers nummer no nr product
            produkt item article artikel variant main primary custom manufact manufacturer etc
        ownCode: plucode internalreference internereferenz defaultcode
        priceWord: price prices preise prix precio precios prezzo prezzi preço preços preco precos pris hinta
            cena ceny cene cijena vk pvp tarif msrp mrp uvp rrp harga fiyat kaina pret preț ár τιμή цена цены
            giá السعر 単価 salgspris utsalgspris försäljningspris 판매가
        bare: eur usd gbp chf netto brutto retail betrag
        question: show hide has is open allow ask variable includes include
        facet: type types list lists level tier unit rule group id name note currency date from until
            change changed updated category formula starts ends method measure range valid
        cost: cost costs costprice kosten coût purchase buying einkauf ek ekpreis wholesale großhandel
            supply supplier vendor dealer händler achat compra coste custo acquisto inkoop zakupu закупочная
        sale: sale saleprice special promo promotion offer discount reduced aktion actie actieprijs
            angebotspreis sonder rabatt rebajado oferta offerta clearance
        other: unit unitprice unitaire unitario grundpreis angebotsgrund per pro je kg compare comparison
            vergleich old alt alter was original before previous statt stattpreis streich pseudo msrp uvp
            rrp map recommended suggested empfohlen conseillé member loyalty deposit pfand shipping versand
            staffel
        total: total totals grandtotal sum summe gesamt gesamtsumme zwischensumme subtotal totale totaal
            suma soma razem celkem итого 合计 合計
        """
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
        let codes = words.filter { !NameList.filler.contains($0) }
        guard let first = codes.first,
            codes.allSatisfy({ NameList.printed.contains($0) || NameList.own.contains($0) })
        else { return nil }
        self = NameList.own.contains(first) ? .own : .printed
    }
}

/// What a column is whose name speaks of a price.
///
/// A cost, a unit price or a promotion taken for the price makes every scan wrong, so a name that is
/// not in the list of prices is never guessed: the import stops and says what to write.
enum PriceName {
    /// The usual price.
    case price
    /// A price of a promotion.
    case sale
    /// What the shop pays.
    case cost
    /// Another price: per kilogram, recommended, of other times or customers.
    case other
    /// Perhaps the usual price.
    case unclear

    /// Nil for the name of another column.
    init?(_ name: String) {
        let simple = ColumnName.simplified(name)
        if NameList.price.contains(simple) {
            self = .price
            return
        }
        if NameList.bare.contains(simple) {
            self = .other
            return
        }
        let words = ColumnName.words(name)
        guard !NameList.saleStart.contains(simple), !NameList.saleEnd.contains(simple),
            let place = words.lastIndex(where: Self.isPrice),
            !words.contains(where: NameList.question.contains),
            !words[place...].contains(where: NameList.facet.contains)
        else { return nil }
        func has(_ list: NameList) -> Bool {
            words.contains { word in
                list.names.contains { word == $0 || $0.utf8.count > 5 && word.hasPrefix($0) }
            }
        }
        self = has(.cost) ? .cost : has(.sale) ? .sale : has(.other) ? .other : .unclear
    }

    private static func isPrice(_ word: String) -> Bool {
        // `VK1` is one of several.
        let word = String(word.reversed().drop(while: \.isNumber).reversed())
        return NameList.priceWord.contains(word)
            || ["preis", "price", "prijs", "価格", "价格", "售价", "売価", "가격"].contains(
                where: word.hasSuffix)
    }
}
