import Testing
import TriageLLM

@Suite struct `Spending` {
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func `never passes a limit and adds up to what was used, in any order of outcomes`(seed: UInt64) {
        var random = Seeded(state: seed)
        let limits = SpendLimits(
            cost: seed % 2 == 0 ? Double(Int.random(in: 1...400, using: &random)) / 1000 : nil,
            requests: seed % 3 == 0 ? nil : Int.random(in: 1...300, using: &random),
            tokens: Int.random(in: 1...200_000, using: &random))
        let price = ModelPrice(input: 0.15, cachedInput: 0.075, output: 0.6)
        var spend = Spend(limits: limits, price: price)
        var open: [Spend.Reservation] = []
        var sum = TokenUsage()
        var sent = 0
        for _ in 0..<5000 {
            if Bool.random(using: &random) || open.isEmpty {
                let need = Spend.Need(
                    input: Int.random(in: 0...900, using: &random), output: Int.random(in: 1...300, using: &random))
                let room = spend.room(for: need)
                if let reservation = spend.reserve(need) {
                    #expect(room == .now)
                    open.append(reservation)
                } else {
                    #expect(room != .now)
                    // What waits has somebody to wait for.
                    if room == .later { #expect(!open.isEmpty) }
                }
            } else {
                let reservation = open.remove(at: Int.random(in: 0..<open.count, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    spend.settle(reservation, as: .unsent)
                case 1:
                    spend.settle(reservation, as: .unknown)
                    sent += 1
                    sum.input += reservation.need.input
                    sum.output += reservation.need.output
                case 2:
                    spend.settle(reservation, as: .answered(TokenUsage()))
                    sent += 1
                default:
                    let input = Int.random(in: 0...reservation.need.input, using: &random)
                    let usage = TokenUsage(
                        input: input, cachedInput: Int.random(in: 0...input, using: &random),
                        output: Int.random(in: 0...reservation.need.output, using: &random))
                    spend.settle(reservation, as: .answered(usage))
                    sent += 1
                    sum.input += usage.input
                    sum.cachedInput += usage.cachedInput
                    sum.output += usage.output
                }
            }
            let committed = spend.committed
            #expect(committed.requests <= limits.requests ?? .max)
            #expect(committed.tokens <= limits.tokens ?? .max)
            #expect(committed.cost <= (limits.cost ?? .infinity) + 1e-12)
        }
        for reservation in open { spend.settle(reservation, as: .unsent) }
        #expect(spend.requests == sent)
        #expect(spend.usage.input == sum.input)
        #expect(spend.usage.cachedInput == sum.cachedInput)
        #expect(spend.usage.output == sum.output)
        let cost = Double((sum.input - sum.cachedInput) * 150 + sum.cachedInput * 75 + sum.output * 600) / 1e9
        #expect(abs((spend.cost ?? -1) - cost) < 1e-12)
    }

    private func reserve(_ spend: inout Spend, _ need: Spend.Need) throws -> Spend.Reservation {
        let reservation = spend.reserve(need)
        return try #require(reservation)
    }

    @Test func `waits for what is in flight before it says that nothing more fits`() throws {
        var spend = Spend(limits: SpendLimits(tokens: 1000))
        let need = Spend.Need(input: 400, output: 200)
        let first = try reserve(&spend, need)
        #expect(spend.room(for: need) == .later)
        spend.settle(first, as: .answered(TokenUsage(input: 300, output: 20)))
        let second = try reserve(&spend, need)
        spend.settle(second, as: .unknown)
        #expect(spend.room(for: need) == .never)
        #expect(spend.room(for: Spend.Need(input: 80, output: 0)) == .now)
    }

    @Test func `of money is unknown without a price, and with a limit on it nothing is sent`() throws {
        var spend = Spend()
        let reservation = try reserve(&spend, Spend.Need(input: 10, output: 10))
        spend.settle(reservation, as: .unknown)
        #expect(spend.cost == nil)
        #expect(spend.usage == TokenUsage(input: 10, output: 10, isEstimated: true))
        #expect(Spend(limits: SpendLimits(cost: 1)).room(for: Spend.Need(input: 1, output: 1)) == .never)
        #expect(Spend(price: ModelPrice(input: 1, output: 1)).cost == 0)
    }

    @Test(arguments: [-1, .nan, .infinity, 1e300])
    func `has no price that makes no sense`(price: Double) {
        #expect(Spend(price: ModelPrice(input: price, output: 1)).cost == nil)
        #expect(Spend(price: ModelPrice(input: 1, output: price)).cost == nil)
        #expect(
            Spend(limits: SpendLimits(cost: -price), price: ModelPrice(input: 1, output: 1))
                .room(for: Spend.Need(input: 1_000_000, output: 0)) == (-price >= 1 ? .now : .never))
    }

    @Test func `bears any number that a server sends`() {
        var spend = Spend(limits: SpendLimits(tokens: .max), price: ModelPrice(input: 10_000, output: 10_000))
        for usage in [
            TokenUsage(input: .max, cachedInput: .max, output: .max),
            TokenUsage(input: .min, cachedInput: 5, output: -1),
            TokenUsage(input: 5, cachedInput: .max, output: .max),
        ] {
            guard let reservation = spend.reserve(Spend.Need(input: 1, output: 1)) else { continue }
            spend.settle(reservation, as: .answered(usage))
        }
        #expect(spend.usage.output == .max)
        #expect(spend.room(for: Spend.Need(input: .max, output: .max)) == .now)
    }
}

/// SplitMix64: the same sequence for a seed everywhere.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
