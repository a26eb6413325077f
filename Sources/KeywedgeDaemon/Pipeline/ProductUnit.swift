enum ProductUnit: Equatable {
    case piece
    /// A package, such as a case, box or pair.
    case package
    /// A unit of measure, such as `kg`.
    case measure(String)
    case unknown

    /// Reads a unit: a word in one of several languages, or a code from UN/ECE Recommendation 20.
    ///
    /// Letter case and trailing full stops are ignored.
    init(_ text: String) {
        var word = text.lowercased()
        while word.hasSuffix(".") || word.hasSuffix(" ") { word.removeLast() }
        self = Self.known[word] ?? .unknown
    }

    private static let known: [String: ProductUnit] = {
        var known: [String: ProductUnit] = [:]
        for line in names.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let unit: ProductUnit =
                switch words[0] {
                case "pcs": .piece
                case "case": .package
                default: .measure(words[0])
                }
            for word in words { known[word] = unit }
        }
        return known
    }()

    private static let names = """
        pcs pc piece pieces ea each unit units item items h87 c62 pce
        pcs bottle bottles can cans stk stck stück stueck st flasche dose
        case cases box boxes pack packs pk pkt pck bag bags carton set pair karton packung beutel paar
        pcs pièce pièces pza pz pezzo pezzi pieza piezas ud uds unidad unidade un szt ks kpl db шт adet 個 件 个
        kg kgs kgm kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes кг
        g gr grm gram grams gramm
        lb lbs lbr pound pounds
        oz onz ounce ounces
        l ltr liter litre liters litres
        ml mlt
        m mtr meter metre meters metres
        cm cmt
        m2 m² mtk sqm
        m3 m³ mtq
        ft fot foot feet
        in inh inch inches
        yd yrd yard yards
        h hur hour hours
        """
}
