import { type Refusal, refuse } from "../../contract/result.ts";

export function badCursor(): Refusal {
  return refuse("invalid_request", "The cursor is not one this list returned.", {
    issues: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}
