import { expect, it } from "vitest";
import type { Verification } from "../../src/contract/verification.ts";
import { isCellPromotable, isVerdictPromotable, readCell } from "../../src/rules/verification.ts";

const AT = 1_800_000_000_000;

/** A verdict over these gates, oldest first, as a reviewer would send it. */
function verdict(status: Verification["status"], ...gates: ("green" | "red")[]) {
  return {
    status,
    attempts: gates.map((gate, index) => ({
      attempt: index + 1,
      at: AT + index,
      deterministic: {
        command: "npm test",
        exitCode: gate === "green" ? 0 : 1,
        passed: gate === "green",
        durationMs: 5,
      },
      critic: { ran: false },
      status,
    })),
    updatedAt: AT,
  };
}

it.each([
  { cell: "nothing", stored: null, promotable: true },
  { cell: "an empty text", stored: "", promotable: true },
  { cell: "a text that is no JSON", stored: "{fail", promotable: true },
  { cell: "JSON null", stored: "null", promotable: true },
  { cell: "JSON of another shape", stored: '{"status":"fail"}', promotable: true },
  { cell: "a verdict without an attempt", stored: JSON.stringify(verdict("fail")), promotable: true },
  { cell: "a pass", stored: JSON.stringify(verdict("pass", "green")), promotable: true },
  {
    cell: "a debt over a green gate",
    stored: JSON.stringify(verdict("completed_with_debt", "green")),
    promotable: true,
  },
  {
    cell: "a debt over a red gate",
    stored: JSON.stringify(verdict("completed_with_debt", "red")),
    promotable: false,
  },
  {
    cell: "a debt over a gate that turned green",
    stored: JSON.stringify(verdict("completed_with_debt", "red", "red", "green")),
    promotable: true,
  },
  {
    cell: "a debt over a gate that turned red",
    stored: JSON.stringify(verdict("completed_with_debt", "green", "green", "red")),
    promotable: false,
  },
  { cell: "a fail", stored: JSON.stringify(verdict("fail", "red")), promotable: false },
  { cell: "a fail over a green gate", stored: JSON.stringify(verdict("fail", "green")), promotable: false },
])("a cell that holds $cell lets work through: $promotable", ({ stored, promotable }) => {
  expect(isCellPromotable(stored)).toBe(promotable);
});

it("no verdict is not promotable, though an empty cell is: a verdict proves, an empty cell is a person's call", () => {
  expect(isVerdictPromotable(null)).toBe(false);
  expect(isCellPromotable(null)).toBe(true);
});

it("a cell is read whole, with what its writer left out filled in", () => {
  const read = readCell(JSON.stringify(verdict("pass", "green")));
  expect(read).toMatchObject({ status: "pass", structuredError: null, debtNotes: [] });
  expect(read?.attempts[0]).toMatchObject({
    deterministic: { timedOut: false, stdoutTail: "", stderrTail: "" },
    critic: { ran: false, findings: [], reviewerRuntime: null, reviewerModel: null, reviewedSha: null },
  });
});

it.each([null, "", "x", "null", "[]", "{}", '"pass"'])("a cell of %j holds no verdict", (cell) => {
  expect(readCell(cell)).toBeNull();
});
