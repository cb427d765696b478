/// The first so many of whatever comes, by rank; of equals the one that came first.
struct RankedList<Element> {
    let most: Int
    /// How many were offered.
    private(set) var offered = 0
    private var ranked: [(rank: Int, element: Element)] = []

    init(most: Int) { self.most = most }

    /// The first ones, the highest first.
    var elements: [Element] { ranked.map(\.element) }
    /// How many were offered and are not in it.
    var leftOut: Int { offered - ranked.count }

    /// - Parameter make: is called only when there is room for it.
    mutating func add(_ rank: Int, _ make: () -> Element) {
        offered += 1
        if ranked.count == most {
            guard let last = ranked.last, rank > last.rank else { return }
            ranked.removeLast()
        }
        let place = ranked.firstIndex { $0.rank < rank } ?? ranked.endIndex
        ranked.insert((rank, make()), at: place)
    }
}
