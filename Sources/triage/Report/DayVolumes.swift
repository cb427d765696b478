import TriageCore
import TriageStore

/// Messages by day, in memory that is bounded however many days are named.
///
/// Beyond ``most`` days they are added up by year. Nobody can tell from a page: so many days span more years than it shows
/// in steps that are shorter.
struct DayVolumes {
    /// Days that are kept apart: more than ``VolumeBins/most`` months have.
    static let most = 20_000

    /// By day, or by the first of January once `isByYear`.
    private var volumes: [Int: InboxStatistics.Volume] = [:]
    private var isByYear = false
    /// A bit for each day that was named, by the day divided by 64.
    private var named: [Int: UInt64] = [:]
    private var (first, last) = (Int.max, Int.min)

    /// Days that were named.
    private(set) var count = 0

    mutating func add(_ volume: InboxStatistics.Volume, on day: Int) {
        let bit: UInt64 = 1 << UInt64(day & 63)
        if named[day >> 6, default: 0] & bit == 0 {
            named[day >> 6, default: 0] |= bit
            count += 1
            (first, last) = (min(first, day), max(last, day))
            if count > Self.most, !isByYear { joinYears() }
        }
        volumes[isByYear ? Self.newYear(day) : day, default: .init()].add(volume)
    }

    /// By day, sorted; the first and the last are days that were named.
    var sorted: [(day: Int, volume: InboxStatistics.Volume)] {
        var days = volumes.sorted { $0.key < $1.key }.map { (day: $0.key, volume: $0.value) }
        if isByYear {
            days[0].day = first
            days[days.count - 1].day = last
        }
        return days
    }

    private mutating func joinYears() {
        isByYear = true
        let days = volumes
        volumes = [:]
        for (day, volume) in days { volumes[Self.newYear(day), default: .init()].add(volume) }
    }

    private static func newYear(_ day: Int) -> Int {
        CivilDate(year: CivilDate(daysSince1970: day).year, month: 1, day: 1).daysSince1970
    }
}
