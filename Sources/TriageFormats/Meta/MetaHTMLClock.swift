import TriageCore

/// Tells which moment the clock of Meta's web pages means.
struct MetaHTMLClock {
    private let rules: TimeZoneRules?
    private let zoneName: String
    /// Seconds east of UTC that a page says the export was made with.
    var header: Int64?

    init(zone: String) {
        rules = zone.isEmpty ? nil : TimeZoneRules(name: zone)
        zoneName = zone
    }

    /// Seconds since 1970, and what was assumed for it; nil: nothing had to be.
    ///
    /// What the user says goes first, then what the pages say. Instagram's pages are eight hours behind UTC all year;
    /// those of Facebook have the zone of the account, which is unknown: they are read as UTC.
    func moment(of time: MetaHTMLTime, _ platform: MetaPlatform) -> (seconds: Int64, assumed: String?) {
        if let offset = time.offset { return (time.local - offset, nil) }
        if let rules { return (rules.utc(ofLocal: time.local), zoneName) }
        if let header { return (time.local - header, Self.text(header)) }
        return platform == .instagram ? (time.local + 8 * 3600, "-08:00") : (time.local, "UTC")
    }

    /// The offset that a page shows by giving one moment in UTC and as its clock shows it.
    static func offset(moment: String, shown: String) -> Int64? {
        guard let time = MetaHTMLTime(shown) else { return nil }
        if let offset = time.offset { return offset }
        var copy = moment
        guard let seconds = copy.withUTF8({ Timestamp.seconds($0) }) else { return nil }
        // Seconds may be left out on either side; zones go by quarters of an hour.
        let difference = time.local - seconds
        guard difference.magnitude <= 14 * 3600 + 60 else { return nil }
        let quarter = (Double(difference) / 900).rounded()
        return Int64(quarter) * 900
    }

    private static func text(_ offset: Int64) -> String {
        let minutes = Int(offset.magnitude / 60)
        func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
        return (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }
}
