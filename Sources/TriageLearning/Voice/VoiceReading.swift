internal import TriageConfig
import TriageCore
import TriageFormats
package import TriageRun
package import TriageStages

/// Reads conversations and pairs each of the creator's replies with the message that it answers.
package final class VoiceReading {
    package private(set) var exchanges: [VoiceLearner.Exchange] = []
    /// Replies to messages that were not read.
    package private(set) var alone = 0

    /// The limit for conversations followed at a time; in an export, one comes after another.
    private static let conversationLimit = 1 << 14
    /// The limit for messages of one conversation that a reply may answer by id, as under a video.
    private static let waitingLimit = 64

    private struct Asked {
        var id: String
        var exchange: VoiceLearner.Exchange
    }

    package init() {}

    /// - Parameter reading: reads without a voice, so that the voice does not influence how messages are answered.
    package func read(_ input: InputOptions, with reading: MessageReading) throws {
        let limit = input.limit ?? .max
        let since = try input.sinceSeconds()
        var waiting: [String: [Asked]] = [:]
        var read = 0
        try reading.forEachBatch(of: input) { [self] batch in
            for record in batch.records {
                guard let text = batch.string(record.fields.text), !text.isEmpty else { continue }
                let conversation = batch.string(record.fields.conversationID) ?? ""
                switch record.status {
                case .message:
                    guard read < limit else { return false }
                    read += 1
                    if waiting.count >= Self.conversationLimit { waiting.removeAll() }
                    var list = waiting[conversation] ?? []
                    if list.count >= Self.waitingLimit { list.removeFirst() }
                    list.append(
                        Asked(
                            id: batch.string(record.fields.id) ?? "",
                            exchange: Self.asked(record, text, batch, reading.loaded.faq)))
                    waiting[conversation] = list
                case .own:
                    if let since, let sentAt = record.sentAt, sentAt < since { continue }
                    let answered = batch.string(record.fields.replyTo)
                    guard var list = waiting[conversation],
                        let place = answered.flatMap({ id in list.lastIndex { $0.id == id } })
                            ?? (conversation.isEmpty || answered != nil && list.count > 1 ? nil : list.indices.last)
                    else {
                        alone += 1
                        continue
                    }
                    var exchange = list[place].exchange
                    exchange.answered = text
                    exchange.conversation = conversation
                    exchange.day = record.sentAt.map { UTCTime.day($0) }
                    // A reply that does not name its message answers everything before it.
                    if answered == nil { list.removeAll() } else { list.remove(at: place) }
                    waiting[conversation] = list
                    exchanges.append(exchange)
                default: continue
                }
            }
            return true
        }
        ReplyLanguages.tell(&exchanges, at: Array(exchanges.indices), model: try ShippedFiles.languageModel())
    }

    private static func asked(
        _ record: Record, _ text: String, _ batch: borrowing Batch, _ library: FAQLibrary
    ) -> VoiceLearner.Exchange {
        var exchange = VoiceLearner.Exchange()
        let fields = record.fields
        exchange.asked = text
        exchange.senderName = batch.string(fields.senderName) ?? ""
        exchange.senderHandle = batch.string(fields.senderHandle) ?? ""
        let names = [fields.senderHandle, fields.senderID, fields.senderName].map { batch.string($0) ?? "" }
        exchange.sender = names.first { !$0.isEmpty } ?? ""
        exchange.platform = batch.string(fields.platform) ?? ""
        exchange.language = record.language.map { LanguageTable.tags[Int($0.language)] } ?? ""
        if record.category?.label == .spam {
            exchange.intent = "spam"
        } else if record.noDraft == .needsAFact, let faq = record.faq, faq.confidence >= VoiceLearner.leastConfidence,
            library.entries.indices.contains(faq.entry)
        {
            // An FAQ match too unsure to be used still tells what was asked, and the creator's reply exists.
            exchange.intent = "faq:\(library.entries[faq.entry].id)"
        } else if let draft = record.draft {
            let name = String(decoding: batch.generated[draft.basedOn.range], as: UTF8.self)
            exchange.intent = name.hasPrefix("template:") ? String(name.dropFirst(9)) : name
        } else {
            let category = record.category?.label == .business ? "business" : "fan"
            exchange.intent = record.noDraft.map { "\(category).\($0.name)" } ?? ""
        }
        return exchange
    }
}
