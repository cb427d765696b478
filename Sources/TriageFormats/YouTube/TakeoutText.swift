/// Takes the text out of a cell of a Takeout table, in whichever of its three spellings it stands.
enum TakeoutText {
    static func plain(_ cell: String) -> String {
        guard cell.utf8.first == UInt8(ascii: "{") else { return cell }
        // Objects with commas between them and nothing around; line breaks stand in their strings as they are.
        var json: [UInt8] = [UInt8(ascii: "[")]
        json.reserveCapacity(cell.utf8.count + 16)
        let digits = Array("0123456789abcdef".utf8)
        for byte in cell.utf8 {
            if byte < 0x20 {
                json += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                json.append(byte)
            }
        }
        json.append(UInt8(ascii: "]"))
        guard let node = JSONNode(json) else { return cell }
        var segments = node.elements
        if segments.count == 1, let inner = segments[0]["takeoutSegments"] { segments = inner.elements }
        // Somebody may have written a comment that is JSON.
        guard !segments.isEmpty, segments.allSatisfy({ $0["text"]?.string != nil }) else { return cell }
        return segments.map { $0["text"]?.string ?? "" }.joined()
    }
}
