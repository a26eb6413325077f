import TestTexts
import Testing

@testable import HTTPCatalog

@Suite struct LRUCacheTests {
    @Test func theOneUsedLongestAgoMakesRoom() {
        var store = LRUCache<String, Int>(capacity: 2)
        store.set("a", 1)
        store.set("b", 2)
        #expect(store.value("a") == 1)
        store.set("c", 3)
        #expect(store.value("b") == nil)
        #expect(store.value("a") == 1)
        #expect(store.value("c") == 3)
        #expect(store.count == 2)
    }

    @Test func itAgreesWithAListThatIsKeptInOrder() {
        var random = SplitMix(seed: 3)
        var store = LRUCache<Int, Int>(capacity: 8)
        var model: [(key: Int, value: Int)] = []
        var wrong: [Int] = []
        for round in 0..<20_000 {
            let key = Int.random(in: 0..<16, using: &random)
            let index = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                store.remove(key)
                if let index { model.remove(at: index) }
            case 1...3:
                store.set(key, round)
                if let index { model.remove(at: index) }
                model.append((key, round))
                if model.count > 8 { model.removeFirst() }
            default:
                if store.value(key) != index.map({ model[$0].value }) { wrong.append(round) }
                if let index { model.append(model.remove(at: index)) }
            }
            if store.count != model.count { wrong.append(round) }
        }
        #expect(wrong.isEmpty)
    }
}
