import Testing
import TriageConfig

struct SuggestionTests {
    @Test(arguments: [
        ("langauges", "languages"), ("feed", "feeds"), ("nomatch", "no_match"), ("Words", "words"),
        ("literal", "literals"), ("zzz", nil), ("", nil),
    ])
    func `guesses what a misspelt name meant`(typed: String, meant: String?) {
        let known = ["languages", "feeds", "no_match", "words", "literals", "when"]
        #expect(Suggestion.closest(to: typed, among: known) == meant)
    }

    @Test func `lists what there is when nothing is near`() {
        #expect(Suggestion.remedy(for: "colour", among: ["id", "name"]) == "one of: id, name")
    }
}
