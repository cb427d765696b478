import Synchronization

/// Things that are dear to make and hold what batches find out: each serves one batch at a time, and then the next.
///
/// As many are made as there are batches in work at once.
final class ObjectPool<Item: AnyObject>: Sendable {
    private struct Box: @unchecked Sendable {
        // Proof: an item is only ever in the list or with the one borrower that took it out under the lock; where items
        // come from, `make`, hands out no other reference to them.
        let item: Item
    }

    private let idle = Mutex<[Box]>([])
    private let make: @Sendable () -> sending Item

    init(_ make: @escaping @Sendable () -> sending Item) { self.make = make }

    /// Lends an item to `body`.
    @inline(__always)
    func withItem(_ body: (Item) -> Void) {
        let box = idle.withLock { $0.popLast() } ?? Box(item: make())
        body(box.item)
        idle.withLock { $0.append(box) }
    }
}
