import TriageCore
import TriageRun

/// A failure as the page is told of it.
enum ReviewFault {
    static func answer(_ error: any Error) -> WebAnswer {
        switch error {
        case let error as TriageError: answer([error])
        case let errors as TriageErrors: answer(errors.all)
        default: .refused(500, "review.failed", "the program failed; earlier decisions are saved")
        }
    }

    private static func answer(_ errors: [TriageError]) -> WebAnswer {
        guard let first = errors.first else { return .refused(500, "review.failed", "the program failed") }
        let status =
            switch first.exit {
            case .temporary: first.code == "store.busy" || first.code == "store.locked" ? 423 : 409
            case .ioError, .cannotCreate: 503
            case .noInput: 404
            default: 422
            }
        var error = JSONObjectText()
        error.add("code", first.code)
        error.add("message", first.what)
        error.add("where", first.at)
        error.add("remedy", first.remedy)
        let all = errors.map { one -> String in
            var fault = JSONObjectText()
            fault.add("code", one.code)
            fault.add("message", one.what)
            fault.add("where", one.at)
            fault.add("remedy", one.remedy)
            return fault.text
        }
        error.add(raw: "faults", "[\(all.joined(separator: ","))]")
        return .json("{\"error\":\(error.text)}", status: status)
    }
}
