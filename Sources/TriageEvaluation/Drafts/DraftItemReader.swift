/// Reads a message and its draft from a line that `triage run` wrote.
package struct DraftItemReader {
    package init() {}

    /// - Returns: nil for what has no draft to judge: spam, rejected records, own messages and what is no message.
    package func item(_ line: UnsafeBufferPointer<UInt8>) -> DraftItem? {
        let record = JSONView(line)
        guard let answers = record["triage"], answers.isObject, answers["rejected"] == nil,
            let text = record["text"]?.string, !text.isEmpty,
            let id = record["id"]?.string ?? answers["id"]?.string, answers["draft"] != nil
        else { return nil }
        // What is spam by its label, or by the answer where there is no label, wants no reply.
        let gold = record["gold"]?["category"]?.string
        guard (gold ?? answers["category"]?["label"]?.string) != "spam" else { return nil }
        let draft = answers["draft"]
        let sender = record["sender"]
        let basedOn = draft?["based_on"]?.string ?? ""
        return DraftItem(
            record: id, platform: record["platform"]?.string ?? "",
            sender: sender?["name"]?.string ?? sender?["handle"]?.string ?? "", message: text,
            draft: draft?["text"]?.string,
            source: basedOn.isEmpty ? "none" : basedOn.split(separator: ":").first.map(String.init) ?? basedOn,
            language: draft?["language"]?.string ?? answers["language"]?["tag"]?.string ?? "und")
    }
}
