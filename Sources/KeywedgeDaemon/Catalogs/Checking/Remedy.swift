import KeywedgeConfiguration
import WireText

/// What mends a step that failed.
public struct Remedy: Equatable, Sendable {
    /// What to do, in a sentence or two.
    public var advice: String
    /// The setting to write into the catalog's settings, as YAML lines: beside `preset:` or inside
    /// `http:`; none where no setting helps.
    public var setting: [String]

    /// What to do where no setting helps.
    init(_ advice: String) {
        self.advice = advice
        setting = []
    }

    /// A setting.
    ///
    /// - Parameters:
    ///   - advice: What it is for, and what has to be there beside it.
    ///   - catalog: The catalog's configuration with the setting in it.
    ///   - paths: Where the setting is in it: keys from the top down.
    init(_ advice: String, _ catalog: HTTPCatalogConfiguration, _ paths: [String]...) {
        self.advice = advice
        setting = catalog.lines(of: paths)
    }

    /// The remedy as lines.
    var lines: [String] {
        setting.isEmpty
            ? [Escaping.sentence.escaped(advice)]
            : [Escaping.sentence.escaped(advice) + " Write:"] + setting.map { "    " + $0 }
    }
}
