import KeyLayouts

extension CompiledLayout {
    /// Reads the name of a layout, and compiles it.
    static func reading(_ reader: ConfigurationReader) -> CompiledLayout? {
        guard let text = reader.text("a keyboard layout such as us, fr or \"de:nodeadkeys\"") else {
            return nil
        }
        do {
            return try CompiledLayout(named: text)
        } catch {
            reader.report(expected: "a keyboard layout (\(error))")
            return nil
        }
    }
}
