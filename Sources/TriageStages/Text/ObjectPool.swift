import Synchronization

/// A pool of objects that are expensive to create and keep cached results; each serves one batch at a time.
///
/// It creates as many objects as there are batches processed at once.
final class ObjectPool<Item: AnyObject>: Sendable {
    private struct Box: @unchecked Sendable {
        // Proof: an item is either in the list or owned by the one borrower that removed it under the lock; `make`,
        // which creates items, keeps no other reference to them.
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
