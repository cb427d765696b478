import TriageCore
import TriageFormats

/// Counts the records of an export, and says why where it cannot be read.
func countRecords(in path: String) -> String {
    do {
        var count = 0
        let refused = try MessageExport(paths: [path]).forEachRecord { record in
            // One line of JSON: {"id":…,"platform":"instagram","sender":{…},"text":…}
            if record.contains(#""text""#) { count += 1 }
        }
        return "\(count) records, \(refused) refused"
    } catch let error as TriageError {
        return "\(error.code): \(error.remedy ?? error.what)"
    } catch {
        return "\(error)"
    }
}
