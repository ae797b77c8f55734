/** What a verdict is called. */
export const VERDICT_NAMES: Record<string, string> = {
  pass: "pass",
  completed_with_debt: "done with debt",
  fail: "fail",
};
