import KeywedgeConfiguration
import WireText

/// What mends a step that failed.
package struct Remedy: Equatable, Sendable {
    /// What to do, in a sentence or two.
    package var advice: String
    /// The setting to write into the catalog's settings, as YAML lines: beside `preset:` or inside
    /// `http:`, unless the advice names another file; none where no setting is known that helps.
    package var setting: [String] = []
    /// What stands there now and has to be looked at; none where a setting is proposed.
    package var standing: [String] = []

    /// What to do where no setting helps.
    init(_ advice: String) {
        self.advice = advice
    }

    /// The remedy as lines.
    var lines: [String] {
        let advice = Escaping.sentence.escaped(advice)
        if !setting.isEmpty { return [advice + " Write:"] + setting.map { "    " + $0 } }
        if !standing.isEmpty { return [advice + " It says now:"] + standing.map { "    " + $0 } }
        return [advice]
    }
}

extension EndpointCheck {
    /// A setting that mends what failed; where it is the one that stands there already, it is not
    /// proposed but shown as what has to be looked at.
    ///
    /// - Parameters:
    ///   - advice: What it is for, and what has to be there beside it.
    ///   - changed: The catalog's configuration with the setting in it.
    ///   - paths: Where the setting is in it: keys from the top down.
    /// - Returns: The remedy.
    func remedy(
        _ advice: String, _ changed: HTTPCatalogConfiguration, _ paths: [String]...
    ) -> Remedy {
        var remedy = Remedy(advice)
        let (setting, standing) = (changed.lines(of: paths), catalog.lines(of: paths))
        if setting == standing { remedy.standing = standing } else { remedy.setting = setting }
        return remedy
    }
}
