/// Values by key, of which the ones used longest ago make room for new ones.
///
/// Looking one up takes the same time however many there are: the order is a ring of indices.
struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        var key: Key
        var value: Value
        var newer: Int
        var older: Int
    }

    /// How many values there is room for.
    let capacity: Int
    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1

    /// Makes an empty cache.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// How many values there are.
    var count: Int { slots.count }

    /// The value under a key, which becomes the one used last.
    mutating func value(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            detach(place)
            attach(place)
        }
        return slots[place].value
    }

    /// Puts a value under a key, which becomes the one used last.
    mutating func set(_ key: Key, _ value: Value) {
        if let place = places[key] {
            slots[place].value = value
            guard place != newest else { return }
            detach(place)
            attach(place)
        } else if slots.count < capacity {
            slots.append(Slot(key: key, value: value, newer: -1, older: -1))
            places[key] = slots.count - 1
            attach(slots.count - 1)
        } else {
            let place = oldest
            detach(place)
            places[slots[place].key] = nil
            slots[place].key = key
            slots[place].value = value
            places[key] = place
            attach(place)
        }
    }

    /// Takes the value under a key out.
    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        detach(place)
        let last = slots.count - 1
        if place != last { move(last, to: place) }
        slots.removeLast()
    }

    private mutating func move(_ from: Int, to place: Int) {
        slots[place] = slots[from]
        places[slots[place].key] = place
        if slots[place].newer >= 0 {
            slots[slots[place].newer].older = place
        } else {
            newest = place
        }
        if slots[place].older >= 0 {
            slots[slots[place].older].newer = place
        } else {
            oldest = place
        }
    }

    private mutating func detach(_ place: Int) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if newer >= 0 { slots[newer].older = older } else { newest = older }
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
    }

    private mutating func attach(_ place: Int) {
        slots[place].newer = -1
        slots[place].older = newest
        if newest >= 0 { slots[newest].newer = place } else { oldest = place }
        newest = place
    }
}
