/// Numbers that were seen, kept as runs: those of a chat mostly come in rising order and with few gaps.
struct NumberSet {
    private var starts: [Int64] = []
    private var ends: [Int64] = []
    /// What came out of order.
    private var others = Set<Int64>()

    /// - Returns: whether it was new.
    mutating func insert(_ number: Int64) -> Bool {
        guard let last = ends.last else {
            starts.append(number)
            ends.append(number)
            return true
        }
        if number > last {
            if number == last &+ 1 {
                ends[ends.count - 1] = number
            } else {
                starts.append(number)
                ends.append(number)
            }
            return true
        }
        // The last run that begins at or before it.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle + 1 } else { high = middle }
        }
        if low > 0, number <= ends[low - 1] { return false }
        return others.insert(number).inserted
    }
}
