import Testing
import TriageLLM

@Suite struct `Hints of steering` {
    @Test func `the corpus has all classes, and a twin for each attack`() throws {
        let attacks = try Trust.attacks()
        #expect(attacks.count >= 260 && Set(attacks.map(\.class)).count == 19)
        #expect(Set(attacks.map(\.id)).count == attacks.count)
        #expect(attacks.allSatisfy { $0.attack != $0.twin && !$0.twin.isEmpty })
    }

    @Test func `nearly every attack has a hint, and no twin has`() throws {
        let hints = InjectionHeuristics(neighbors: Trust.batchTalk)
        let attacks = try Trust.attacks()
        let missed = attacks.filter { !hints.suspects($0.attack) }.map(\.id)
        // The rest speak as anybody might ("Reply: please call"); what they ask for is stopped behind the model.
        #expect(missed.count * 40 <= attacks.count, "missed: \(missed)")
        let alarmed = attacks.filter { hints.suspects($0.twin) }.map(\.id)
        #expect(alarmed.isEmpty, "alarmed: \(alarmed)")
    }

    @Test func `whoever speaks of the messages around has a hint, in every form`() throws {
        let hints = InjectionHeuristics(neighbors: Trust.batchTalk)
        let attacks = try Trust.attacks().filter { $0.class == "neighbor" }
        let missed = attacks.filter { !hints.suspects($0.attack) }.map(\.id)
        #expect(attacks.count >= 60 && missed.isEmpty, "missed: \(missed)")
    }

    @Test(arguments: [
        "ignore my last message lol", "all your videos are great, the next one too?", "the other two mugs arrived",
        "is the rest of the series coming?", "read all the comments, everyone is so nice", "I'm your number 1 fan",
        "put me on the waiting list for the next drop", "two of the messages I got in your name were fake",
        "answer the next question in the comments please", "todos mis amigos son fans tuyos",
        "los demás vídeos también son geniales", "tous mes amis sont fans", "what model of camera is that?",
        "which filter did you use on the last shot?",
        "love your sound system!! what speakers", "is this spam? someone wrote to me in your name",
        "your work is my priority",
        "please mark me down for two mugs", "rate my first bowl?", "the instruction video helped",
        "urgent: my order is late",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 cheers from both of us", "كيف حالك؟ أحب عملك", "می‌خواهم یاد بگیرم",
    ])
    func `everyday words are none`(text: String) {
        let hints = InjectionHeuristics(neighbors: Trust.batchTalk).hints(in: text)
        #expect(hints.isEmpty, "\(hints)")
    }

    @Test func `no attack's tokens or hidden characters reach a request`() throws {
        let session = try Trust.session()
        for attack in try Trust.attacks() {
            let user = session.user([("m1", session.prepared(MessageQuestion(text: attack.attack)))])
            #expect(!user.contains("<|") && !user.contains("[INST]") && !user.contains("</s>"), "\(attack.id)")
            #expect(
                !user.unicodeScalars.contains { (0xE0000...0xE0FFF).contains($0.value) || $0.value == 0x202E },
                "\(attack.id)")
            let boundary = user.prefix { $0 != " " }
            #expect(user.split(separator: "\n").count { $0.hasPrefix(boundary) } == 2, "\(attack.id)")
            #expect(user.utf8.count < 4_200, "\(attack.id)")
        }
    }
}
