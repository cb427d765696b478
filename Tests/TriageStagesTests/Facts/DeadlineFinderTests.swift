import Testing
import TriageCore

@testable import TriageStages

struct DeadlineFinderTests {
    /// Thursday 2026-10-01, 12:00 UTC.
    private static let sentAt: Int64 = 1_790_856_000

    private static func frame(_ zone: String = "Europe/Lisbon", sentAt: Int64? = sentAt, monthFirst: Bool = false)
        -> DateFrame
    {
        DateFrame(sentAt: sentAt, zone: TimeZoneRules(name: zone), isMonthFirst: monthFirst)
    }

    private static func text(_ day: Int?) -> String {
        guard let day else { return "none" }
        var out: [UInt8] = []
        CivilDate(daysSince1970: day).append(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Texts and the day they name.
    // With its type stated: to infer it took the compiler 18 s.
    private static let usualSpellings: [(String, String)] = [
        // Month and day in words.
        ("on October 3", "2026-10-03"), ("Oct 3", "2026-10-03"), ("Oct 3rd", "2026-10-03"), ("3 October", "2026-10-03"),
        ("3rd of October", "2026-10-03"), ("the 3rd of October 2026", "2026-10-03"), ("3 Oct 2027", "2027-10-03"),
        ("October 3, 2026", "2026-10-03"), ("Oct. 12", "2026-10-12"), ("12 Nov", "2026-11-12"),
        ("November 30th", "2026-11-30"),
        ("3 January", "2027-01-03"), ("Jan 15", "2027-01-15"), ("on 5 May", "2027-05-05"), ("May 5th", "2027-05-05"),
        ("6-9 October", "2026-10-06"), ("6–9 October", "2026-10-06"), ("October 5–16", "2026-10-05"),
        ("29 February", "2027-02-28"),
        ("14. und 15. November", "2026-11-14"), ("2 and 3 December", "2026-12-02"), ("Sunday 4 October", "2026-10-04"),
        ("Friday, 9 October", "2026-10-09"), ("on Saturday 24 October", "2026-10-24"), ("6–7 March 2027", "2027-03-06"),
        // Weekdays in Dutch, Polish and Korean.
        ("voor vrijdag", "2026-10-02"), ("tegen maandag", "2026-10-05"), ("do piątku", "2026-10-02"),
        ("w poniedziałek", "2026-10-05"), ("금요일까지", "2026-10-02"), ("월요일에 금요일", "2026-10-02"),
        // Digits.
        ("2026-10-03", "2026-10-03"), ("by 2026-11-20", "2026-11-20"), ("03/10/2026", "2026-10-03"),
        ("13/10/2026", "2026-10-13"),
        ("10/13/2026", "2026-10-13"), ("03.10.2026", "2026-10-03"), ("3.10.26", "2026-10-03"),
        ("bis 3.10.", "2026-10-03"),
        ("am 15.11. in Köln", "2026-11-15"), ("by 12/10", "2026-10-12"), ("before 5/11", "2026-11-05"),
        ("until 03-10-2026", "2026-10-03"),
        // Relative words.
        ("today", "2026-10-01"), ("by tomorrow EOD", "2026-10-02"), ("tonight at 21:00", "2026-10-01"),
        ("tomorrow", "2026-10-02"),
        ("the day after tomorrow", "2026-10-03"), ("by Friday", "2026-10-02"), ("on Saturday", "2026-10-03"),
        ("by Monday", "2026-10-05"),
        ("next Friday", "2026-10-02"), ("this Thursday", "2026-10-01"), ("Thursday", "2026-10-08"),
        ("by Wed", "2026-10-07"),
        ("this week", "2026-10-04"), ("next week", "2026-10-05"), ("by the end of the month", "2026-10-31"),
        ("end of next month", "2026-11-30"),
        ("by the end of August", "2027-08-31"), ("end of October", "2026-10-31"), ("mid-October", "2026-10-15"),
        ("mid November", "2026-11-15"),
        ("early December", "2026-12-01"), ("in November", "2026-11-01"), ("in February 2027", "2027-02-01"),
        ("this month", "2026-10-31"),
        ("next month", "2026-11-01"), ("end of the year", "2026-12-31"), ("before the 12th", "2026-10-12"),
        ("by the 1st", "2026-10-01"), ("bis zum 15. antworten", "2026-10-15"), ("antes del 15", "2026-10-15"),
        ("até o dia 15", "2026-10-15"), ("hasta el dia 7", "2026-10-07"),
        ("on the 20th", "2026-10-20"), ("by EOD", "2026-10-01"), ("by EOW", "2026-10-02"), ("by EOM", "2026-10-31"),
        ("within 48 hours", "2026-10-03"), ("in the next 3 hours", "2026-10-01"), ("within 10 days", "2026-10-11"),
        ("within a week", "2026-10-08"),
        ("in two weeks", "2026-10-15"), ("within 24h", "2026-10-02"), ("in KW 42", "2026-10-12"),
        ("in week 45", "2026-11-02"),
        // The weekday of a week, whichever is said first.
        ("by Friday next week", "2026-10-09"), ("by Friday of next week", "2026-10-09"),
        ("next week Friday", "2026-10-09"), ("by next week's Friday", "2026-10-09"), ("next week on Mon", "2026-10-05"),
        ("by Friday, next week is too late", "2026-10-02"), ("by Friday. Next week I'm away", "2026-10-02"),
        ("Freitag nächster Woche", "2026-10-09"), ("bis Freitag der nächsten Woche", "2026-10-09"),
        ("nächste Woche Freitag", "2026-10-09"), ("viernes de la próxima semana", "2026-10-09"),
        ("antes del viernes de la semana que viene", "2026-10-09"),
        ("la semana que viene, el viernes", "2026-10-09"), ("até sexta da semana que vem", "2026-10-09"),
        ("sexta-feira da próxima semana", "2026-10-09"), ("vendredi de la semaine prochaine", "2026-10-09"),
        ("la semaine prochaine, vendredi", "2026-10-09"), ("venerdì della prossima settimana", "2026-10-09"),
        ("до пятницы на следующей неделе", "2026-10-09"), ("haftaya cuma", "2026-10-09"),
        ("by Friday week", "2026-10-09"), ("Friday week 3", "2026-10-02"), ("a week from Friday", "2026-10-09"),
        ("by two weeks from Monday", "2026-10-19"), ("bis Freitag in einer Woche", "2026-10-09"),
        ("avant vendredi en huit", "2026-10-09"), ("vendredi en quinze", "2026-10-16"),
        ("来週の金曜日までに", "2026-10-09"), ("来週金曜まで", "2026-10-09"), ("今週金曜日まで", "2026-10-02"),
        ("来週まで", "2026-10-05"),
        // Spanish.
        ("antes del viernes", "2026-10-02"), ("mañana", "2026-10-02"), ("pasado mañana", "2026-10-03"),
        ("hoy", "2026-10-01"),
        ("el 15 de noviembre", "2026-11-15"), ("15 de enero de 2027", "2027-01-15"),
        ("a finales de octubre", "2026-10-31"),
        ("esta semana", "2026-10-04"), ("la semana que viene", "2026-10-05"), ("la próxima semana", "2026-10-05"),
        ("antes del lunes 5", "2026-10-05"),
        ("en dos semanas", "2026-10-15"), ("dentro de 3 días", "2026-10-04"), ("a mediados de noviembre", "2026-11-15"),
        // Portuguese.
        ("até sexta", "2026-10-02"), ("até sexta-feira", "2026-10-02"), ("amanhã", "2026-10-02"),
        ("até esta sexta", "2026-10-02"), ("até depois de amanhã", "2026-10-03"),
        ("hoje", "2026-10-01"), ("até 20 de novembro", "2026-11-20"),
        ("até o fim do mês", "2026-10-31"), ("na próxima semana", "2026-10-05"), ("dia 27 de outubro", "2026-10-27"),
        ("até segunda-feira", "2026-10-05"),
        // French.
        ("d'ici vendredi", "2026-10-02"), ("demain", "2026-10-02"), ("après-demain", "2026-10-03"),
        ("avant le 12 octobre", "2026-10-12"),
        ("le 1er novembre", "2026-11-01"), ("fin octobre", "2026-10-31"), ("la semaine prochaine", "2026-10-05"),
        ("cette semaine", "2026-10-04"),
        ("avant la fin du mois", "2026-10-31"), ("mi-novembre", "2026-11-15"), ("sous 48 heures", "2026-10-03"),
        ("avant samedi", "2026-10-03"),
        // German.
        ("bis Freitag", "2026-10-02"), ("bis morgen", "2026-10-02"), ("übermorgen", "2026-10-03"),
        ("heute", "2026-10-01"), ("bis 5. Oktober", "2026-10-05"),
        ("bis zum 12. Oktober", "2026-10-12"), ("am 3. Dezember", "2026-12-03"), ("bis Ende Oktober", "2026-10-31"),
        ("Mitte November", "2026-11-15"),
        ("diese Woche", "2026-10-04"), ("nächste Woche", "2026-10-05"), ("innerhalb von 24 Stunden", "2026-10-02"),
        ("bis Ende des Monats", "2026-10-31"),
        // Italian, Turkish, Russian, Indonesian, Arabic, Japanese.
        ("entro venerdì", "2026-10-02"), ("domani", "2026-10-02"), ("il 10 novembre", "2026-11-10"),
        ("a metà ottobre", "2026-10-15"), ("la prossima settimana", "2026-10-05"),
        ("30 Kasım'a kadar", "2026-11-30"), ("yarın", "2026-10-02"), ("bu hafta", "2026-10-04"), ("cuma", "2026-10-02"),
        ("до 1 декабря", "2026-12-01"), ("завтра", "2026-10-02"), ("до пятницы", "2026-10-02"),
        ("в понедельник", "2026-10-05"), ("через неделю", "2026-10-08"),
        ("besok", "2026-10-02"), ("sebelum 5 November", "2026-11-05"), ("minggu depan", "2026-10-05"),
        ("hari jumat", "2026-10-02"),
        ("١٥ نوفمبر", "2026-11-15"), ("غدا", "2026-10-02"), ("قبل نهاية نوفمبر", "2026-11-30"),
        ("خلال أسبوع", "2026-10-08"),
        ("11月10日までに", "2026-11-10"), ("明日", "2026-10-02"), ("今週中", "2026-10-04"), ("来週", "2026-10-05"),
        ("10月末", "2026-10-31"), ("今月末まで", "2026-10-31"),
    ]

    @Test(arguments: usualSpellings)
    func `reads dates in the usual spellings and languages`(text: String, expected: String) {
        #expect(Self.text(FoldedSample(text).deadline(Self.frame()).deadline?.day) == expected)
    }

    @Test(arguments: [
        "may the force be with you", "I watched it last Friday", "since Monday", "week 8 of First Reps", "24/7",
        "50/50", "100/100",
        "the 2nd video", "3 sets of 10", "for 20 minutes", "I love sunday", "since January", "1/2 cup", "out 5 of 10",
        "set 3 of them",
        "Black Friday", "guten Morgen", "my first day", "two weeks ago", "8 weeks of strength", "mar",
        "a month of rice", "in the first six months",
        "",
    ])
    func `takes other words for no deadline`(text: String) {
        let found = FoldedSample(text).deadline(Self.frame()).deadline
        // A bare weekday may be a date, but nothing to answer by.
        #expect(found == nil || found?.kind == .date && text.contains("sunday"))
    }

    @Test(arguments: [
        ("Let me know by Friday, the event is on 2 November", "2026-10-02", true),
        ("The festival is on 5 December. Please confirm by 9 October.", "2026-10-09", true),
        ("We film on 9 November, please answer by the 16th.", "2026-11-16", true),
        (
            "Posting window: October 5-16. Please let us know whether you are interested by October 3.", "2026-10-03",
            true
        ),
        ("Deadline for files 30 Oct", "2026-10-30", true), ("Applications close 16 October", "2026-10-16", true),
        ("RSVP before the 12th", "2026-10-12", true), ("our launch is on 2 November", "2026-11-02", false),
        ("delivery by 30 November", "2026-11-30", false), ("we meet on 14 November in Leipzig", "2026-11-14", false),
        ("Rückmeldung bis 5. Oktober", "2026-10-05", true), ("nos dirías antes del 9 de octubre", "2026-10-09", true),
        ("réponse avant samedi", "2026-10-03", true), ("I need your yes today by six", "2026-10-01", true),
    ])
    func `tells the day of the answer from the day of the event`(text: String, day: String, isReply: Bool) {
        let found = FoldedSample(text).deadline(Self.frame()).deadline
        #expect(Self.text(found?.day) == day)
        #expect(found?.isReply == isReply)
    }

    @Test(arguments: [
        ("reply within 24 hours", 24), ("within 48 hours", 48), ("by 5pm today", 4), ("today by 18:00", 5),
        ("by tomorrow noon", 23),
        ("by tomorrow 5pm", 28), ("by midnight tonight", 11), ("in the next 3 hours", 3), ("tomorrow by 8am", 19),
        ("bis morgen 9 Uhr", 20),
        ("by Friday morning", 22), ("by end of day tomorrow", 29), ("within 2 days", 48),
    ])
    func `counts the hours to the deadline`(text: String, hours: Int) {
        #expect(FoldedSample(text).deadline(Self.frame()).deadline?.hours == hours)
    }

    @Test(arguments: [
        // Sent on 2026-10-01T23:30:00Z: already Friday in Tokyo, still Thursday in New York.
        ("tomorrow", "Asia/Tokyo", "2026-10-03"), ("tomorrow", "America/New_York", "2026-10-02"),
        ("tomorrow", "Europe/Lisbon", "2026-10-03"),
        ("tomorrow", "", "2026-10-02"), ("tomorrow", "No/Where", "2026-10-02"),
        ("by Friday", "Pacific/Auckland", "2026-10-09"),
    ])
    func `counts days on the creator's calendar`(text: String, zone: String, expected: String) {
        let frame = Self.frame(zone, sentAt: 1_790_897_400)
        #expect(Self.text(FoldedSample(text).deadline(frame).deadline?.day) == expected)
    }

    @Test(arguments: [
        // The clocks go back on 2026-10-25 in Lisbon: the day has 25 hours.
        (1_792_843_200 as Int64, "tomorrow by 12:00", 25), (1_792_843_200, "today by 20:00", 8),
        // And forward on 2027-03-28.
        (1_806_148_800, "tomorrow by 12:00", 23),
    ])
    func `counts hours over a change of clocks`(sentAt: Int64, text: String, hours: Int) {
        let frame = DateFrame(
            sentAt: sentAt - 3600 * (sentAt == 1_806_148_800 ? 0 : 1), zone: TimeZoneRules(name: "Europe/Lisbon"),
            isMonthFirst: false)
        #expect(FoldedSample(text).deadline(frame).deadline?.hours == hours)
    }

    @Test(arguments: [
        // Sent on 2026-12-29.
        ("by 3 January", "2027-01-03"), ("by Friday", "2027-01-01"), ("next month", "2027-01-01"),
        ("on 28 December", "none"),
        ("by the 2nd", "2027-01-02"), ("end of January", "2027-01-31"), ("on 31 December", "2026-12-31"),
        ("next week", "2027-01-04"),
    ])
    func `goes over the end of the year`(text: String, expected: String) {
        let frame = Self.frame(sentAt: 1_798_545_600)
        #expect(Self.text(FoldedSample(text).deadline(frame).deadline?.day) == expected)
    }

    @Test(arguments: ["America/Los_Angeles", "Europe/Lisbon", "Asia/Tokyo", "Pacific/Auckland", ""])
    func `a message with a day and no clock was sent on that day`(zone: String) {
        var profile = CreatorProfile()
        profile.timezone = zone
        // 2026-10-01 alone is read as its midnight in UTC.
        let frame = FactGatherer(profile: profile, settings: Settings()).frame(sentAt: Self.sentAt - 43200, isDay: true)
        #expect(Self.text(FoldedSample("by tomorrow").deadline(frame).deadline?.day) == "2026-10-02")
    }

    @Test func `takes the month first for creators who write it so`() {
        let sample = FoldedSample("by 10/12/2026")
        #expect(Self.text(sample.deadline(Self.frame(monthFirst: true)).deadline?.day) == "2026-10-12")
        #expect(Self.text(sample.deadline(Self.frame()).deadline?.day) == "2026-12-10")
    }

    @Test(arguments: ["by Friday", "tomorrow", "this week", "by the 12th", "3 October", "end of the month"])
    func `gives no day without the day of the message`(text: String) {
        let result = FoldedSample(text).deadline(Self.frame(sentAt: nil))
        #expect(result.hasDate)
        #expect(result.deadline?.day == nil)
    }

    @Test(arguments: [("by 2026-10-03", "2026-10-03"), ("on 3 October 2026", "2026-10-03")])
    func `needs no clock for a full date`(text: String, expected: String) {
        #expect(Self.text(FoldedSample(text).deadline(Self.frame(sentAt: nil)).deadline?.day) == expected)
    }

    @Test(arguments: ["soon", "asap please", "in the spring", "for Christmas", "Q1 is fine", "bald", "em breve"])
    func `hears soon without a day`(text: String) {
        #expect(FoldedSample(text).deadline(Self.frame()).saysSoon)
    }

    @Test(arguments: [
        String(repeating: "1.", count: 4000), String(repeating: "3 Oct ", count: 3000),
        String(repeating: "by ", count: 3000) + "Friday",
        "99999999/99/99", "2026-13-45", "31 February", "99 October", "within 999999 hours", "32.13.2026",
        String(repeating: "/1", count: 4000),
    ])
    func `survives dates that nobody means`(text: String) {
        for sentAt in [Self.sentAt, 0, -62_135_596_800, 253_402_300_799] as [Int64] {
            let found = FoldedSample(text).deadline(Self.frame("America/New_York", sentAt: sentAt)).deadline
            if let found { #expect(found.start <= found.end) }
        }
    }
}
