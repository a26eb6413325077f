import Barcodes

/// Prints what the texts of barcodes mean: `swift run BarcodesExample 4006381333931 ']d20109506000134352'`.
@main
struct Main {
    static func main() {
        let program = BarcodesProgram()
        for typed in CommandLine.arguments.dropFirst() {
            for line in program.lines(for: typed) { print(line) }
        }
    }
}
