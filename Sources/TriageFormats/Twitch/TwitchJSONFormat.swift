/// The chat of a Twitch video, as TwitchDownloader saves it.
struct TwitchJSONFormat: ExportFormat {
    let name = "twitch-json"
    let summary = "the chat of a Twitch video, saved by TwitchDownloader (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        var keys = Set<String>()
        var isChat = false
        var picker = JSONPicker(maximumLength: Opening.limit) { path, kind in
            if path.count == 1, let key = path[0].key { keys.insert(key) }
            if path.isEmpty || path == [.key("comments")] { return .enter }
            return path == [.key("comments"), .element(0)] && kind == .object ? .take : .skip
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            picker.feed(bytes) { event in
                guard case .value(_, let value, _, _) = event, let node = JSONNode(value) else { return }
                isChat = isChat || (node["content_offset_seconds"] != nil && node["commenter"] != nil)
            }
        }
        // A chat without a line in it is told by what stands around it.
        guard isChat || keys.isSuperset(of: ["FileInfo", "streamer", "video", "comments"]) else { return nil }
        return Detection(format: name, reason: "comments with 'content_offset_seconds' and 'commenter'")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TwitchJSONReader(context) }
}
