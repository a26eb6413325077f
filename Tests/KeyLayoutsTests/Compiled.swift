import KeyLayouts

/// Layouts that several tests need, compiled once.
enum Compiled {
    /// The layouts that are common on scanners, and a few more.
    static let all: [CompiledLayout] = {
        do {
            let compiler = try KeyLayoutCompiler()
            let more = try ["at", "de:nodeadkeys", "lv:apostrophe"].map { try KeyLayout($0) }
            var all: [CompiledLayout] = []
            for layout in KeyLayout.commonOnScanners + more {
                all.append(try compiler.compile(layout))
            }
            return all
        } catch {
            fatalError("\(error)")
        }
    }()

    /// Returns the layout with this name, which must be one of ``all``.
    static func layout(_ name: String) -> CompiledLayout {
        guard let found = all.first(where: { $0.layout.description == name }) else {
            fatalError("\(name) is not among the layouts compiled for the tests")
        }
        return found
    }
}
