window.YTD.account.part0 = [
  {
    "account" : {
      "accountId" : "4100",
      "username" : "ines_paints",
      "accountDisplayName" : "Inês paints",
      "createdAt" : "2014-02-03T08:00:00.000Z"
    }
  }
]
