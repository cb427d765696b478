extension Asker: DraftSource where Question == DraftQuestion, Answer == Draft {}
