import { expect, it } from "vitest";
import * as z from "zod";
import { columnType } from "./row-type.ts";

it.each([
  ["a whole number", z.int(), { type: "INTEGER", nullable: false, values: null }],
  ["a whole number or null", z.int().nullable(), { type: "INTEGER", nullable: true, values: null }],
  ["a number", z.number(), { type: "REAL", nullable: false, values: null }],
  ["a text", z.string(), { type: "TEXT", nullable: false, values: null }],
  ["one of some texts", z.enum(["b", "a"]), { type: "TEXT", nullable: false, values: ["b", "a"] }],
  ["one of some texts or null", z.enum(["a"]).nullable(), { type: "TEXT", nullable: true, values: ["a"] }],
  ["a flag", z.union([z.literal(0), z.literal(1)]), { type: "INTEGER", nullable: false, values: [0, 1] }],
])("%s is read from its schema", (_what, schema, expected) => {
  expect(columnType(schema)).toEqual(expected);
});

it("a schema that no column can hold is not let through", () => {
  for (const schema of [z.boolean(), z.array(z.string()), z.union([z.string(), z.int()])])
    expect(() => columnType(schema)).toThrow("no column type");
});
