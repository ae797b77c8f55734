import { describe, expect, it } from "vitest";
import { readArguments } from "../demo/arguments.ts";

describe("the demo's command line", () => {
  it("runs the plan that ships with it when nothing is said", () => {
    expect(readArguments([])).toMatchObject({
      ok: true,
      value: { reset: false, workers: 4, kill: 1, help: false },
    });
  });

  it("takes a file and options in any order", () => {
    expect(readArguments(["--workers", "8", "plan.jsonl", "--reset", "--kill=2"])).toEqual({
      ok: true,
      value: { file: "plan.jsonl", reset: true, workers: 8, kill: 2, help: false },
    });
  });

  it.each([
    [["--wokers", "8"], /--wokers/],
    [["--workers"], /--workers/],
    [["--workers", "--reset"], /--workers/],
    [["--workers", "many"], /"many"/],
    [["--workers", "0"], /"0"/],
    [["--workers", "65"], /1 to 64/],
    [["--workers", "1.5"], /"1.5"/],
    [["--kill", "4"], /nobody to finish/],
    [["--kill=-1"], /"-1"/],
    [["--reset=yes"], /--reset/],
    [["a.jsonl", "b.jsonl"], /b\.jsonl/],
  ])("answers %j with one line", (given, message) => {
    const parsed = readArguments(given);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(parsed).toMatchObject({ message: expect.not.stringContaining("\n") });
  });
});
