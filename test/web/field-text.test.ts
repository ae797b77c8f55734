/** The fields of a task, read and written by hand. */
import { expect, it } from "vitest";
import { fieldText, listFrom, localTime, timeFrom } from "../../src/web/task/field-text.ts";

it("a list is what stands between the commas, once", () => {
  expect(listFrom(" a, b ,,a,c d")).toEqual(["a", "b", "c d"]);
  expect(listFrom("  ")).toEqual([]);
});

it("a time comes back from its field as it went in, to the minute", () => {
  for (const at of [Date.UTC(2026, 0, 1, 0, 0), Date.UTC(2026, 6, 15, 23, 59)])
    expect(timeFrom(localTime(at))).toBe(at);
  expect(timeFrom(localTime(null))).toBeNull();
  expect(timeFrom("nonsense")).toBeNull();
});

it("nothing is a dash", () => {
  expect([fieldText("kind", null), fieldText("labels", []), fieldText("description", "")]).toEqual([
    "–",
    "–",
    "–",
  ]);
  expect(fieldText("budgetUsd", 0)).toBe("$0.00");
});
