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
        if Self.prices.contains(simple) {
            self = .price
            return
        }
        guard !(CatalogField.saleStarts + CatalogField.saleEnds).contains(simple) else {
            return nil
        }
        let words = ColumnName.words(name)
        guard let place = words.lastIndex(where: Self.isPrice),
            !words.contains(where: Self.questions.contains),
            !words[place...].contains(where: Self.facets.contains)
        else { return nil }
        func has(_ parts: [String]) -> Bool {
            words.contains { word in
                parts.contains { word == $0 || $0.utf8.count > 5 && word.hasPrefix($0) }
            }
        }
        if has(Self.costs) {
            self = .cost
        } else if has(Self.sales) {
            self = .sale
        } else {
            self = has(Self.others) ? .other : .unclear
        }
    }

    private static func isPrice(_ word: String) -> Bool {
        // `VK1` is one of several.
        let word = String(word.reversed().drop(while: \.isNumber).reversed())
        return words.contains(word) || suffixes.contains { word.hasSuffix($0) }
    }

    private static func list(_ names: String) -> [String] {
        names.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Names that can only be the usual price.
    private static let prices = Set(
        list(
            """
            price salesprice retailprice regularprice variantprice defaultprice productprice itemprice
            preis vk vkpreis vkbrutto bruttovk vkpreisbrutto vkbruttopreis stdvkbrutto verkaufspreis
            bruttopreis ladenpreis regulärerpreis regulärpreis prix prixttc prixdevente prixdeventettc
            tarifrégulier pvp precio precioventa preciodeventa precionormal prezzo prezzodivendita
            prezzodilistino preço preco preçodevenda preçonormal prijs verkoopprijs cena cenabrutto
            цена розничнаяцена ценапродажи 价格 售价 零售价 価格 販売価格 가격
            """))

    private static let words = Set(
        list(
            """
            price prices preise prix precio precios prezzo prezzi preço preços preco precos pris hinta
            cena ceny cene vk pvp tarif msrp uvp rrp цена 价格 価格 単価
            """))
    private static let suffixes = ["preis", "price", "prijs"]

    /// Words of columns that hold yes or no.
    private static let questions: Set<String> = [
        "show", "hide", "has", "is", "open", "allow", "ask", "variable", "includes", "include",
    ]
    /// What a column says about a price after naming it.
    private static let facets: Set<String> = [
        "type", "types", "list", "lists", "level", "tier", "unit", "rule", "group", "id", "name",
        "note", "currency", "date", "from", "until", "change", "changed", "updated", "category",
        "formula",
        "starts", "ends", "method", "measure", "range", "valid",
    ]
    private static let costs = list(
        """
        cost costs costprice kosten coût purchase buying einkauf ek ekpreis wholesale großhandel supply
        supplier vendor dealer händler achat compra coste custo acquisto inkoop zakupu закупочная
        """)
    /// Parts that a longer word may begin with, as in `Sonderpreis`; those up to five letters stand alone.
    private static let sales = list(
        """
        sale saleprice special promo promotion offer discount reduced aktion actie actieprijs
        angebotspreis sonder rabatt rebajado oferta offerta clearance
        """)
    private static let others = list(
        """
        unit unitprice unitaire unitario grundpreis angebotsgrund per pro je kg compare comparison
        vergleich old alt alter was original before previous statt stattpreis streich pseudo msrp uvp
        rrp map recommended suggested empfohlen conseillé member loyalty deposit pfand shipping versand
        staffel
        """)
}
