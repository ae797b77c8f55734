/** The methods of a board that change nothing a caller could notice, so that running one twice is harmless. */
export const READS = [
  "describeBoard",
  "whoAmI",
  "listTokens",
  "listTasks",
  "getTask",
  "listDependents",
  "listAncestors",
  "listComments",
  "listExecutions",
  "getVerification",
  "listEvents",
  "listAudit",
] as const;
