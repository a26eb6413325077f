import Foundation
import Keystrokes

/// Reads key events from standard input and prints the scans in them.
///
///     printf '%s\\n' '1000 KEY_4 down' '3000 KEY_4 up' '5000 KEY_ENTER down' | swift run KeystrokesExample
@main
struct Main {
    static func main() {
        var program = KeystrokesProgram()
        do {
            while let line = readLine() {
                if let text = try program.read(line) { print(text) }
            }
            if let text = program.finish() { print(text) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
