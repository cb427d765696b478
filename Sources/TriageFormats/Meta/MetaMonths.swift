/// Names of months in the languages that many accounts have, by their beginnings.
enum MetaMonths {
    /// The number of the month that a word in lower case names; nil: none.
    static func number(_ word: String) -> Int64? {
        // The longest beginning counts: `marras…` is not `mar…`.
        var part = word.unicodeScalars.prefix(10)
        while part.count >= 3 {
            if let month = months[String(String.UnicodeScalarView(part))] { return month }
            part = part.dropLast()
        }
        return nil
    }

    private static let names = [
        "jan ene gen janv ian jän tam oca sty led янв січ ιαν يناير",
        "feb fév fev fév feb hel şub lut úno фев лют φεβ فبراير",
        "mar mär mrt maalis már bře мар бер μαρ μάρ مارس",
        "apr abr avr huh nis kwi ápr dub апр кві απρ أبريل",
        "may mai mag maj mei maí touko máj kvě мая май тра μαϊ μαΐ μαι مايو",
        "jun juin giu kes haz cze iun jún červn červen июн чер ιουν يونيو",
        "jul juil lug hei tem lip iul júl červenc июл лип ιουλ يوليو",
        "aug ago aoû agu ağu elo sie srp авг сер αυγ أغسطس",
        "sep set sept syy eyl wrz szept zář сен вер σεπ سبتمبر",
        "oct okt ott out lok eki paź říj окт жов οκτ أكتوبر",
        "nov marras kas lis noi noe ноя лис νοε نوفمبر",
        "dec dez dic déc des jou ara gru pro дек гру δεκ ديسمبر",
    ]

    private static let months: [String: Int64] = {
        var all: [String: Int64] = [:]
        for (index, line) in names.enumerated() {
            for name in line.split(separator: " ") { all[String(name)] = Int64(index + 1) }
        }
        return all
    }()
}
