window.__THAR_CONFIG = {
  "userInfo" : { "accountId" : "4100", "userName" : "ines_paints", "displayName" : "Inês paints" },
  "archiveInfo" : { "generationDate" : "2025-02-01T00:00:00.000Z", "isPartialArchive" : false },
  "dataTypes" : { "directMessages" : { "files" : [ { "fileName" : "data/direct-messages.js", "globalName" : "YTD.direct_messages.part0", "count" : "5" } ] } }
}
