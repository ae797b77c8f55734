import { expect, it } from "vitest";
import { jurisdictionOf, placedId } from "../../src/rules/jurisdiction.ts";

it("a board's id says where its data stays", () => {
  expect(jurisdictionOf("eu--payments")).toBe("eu");
  expect(jurisdictionOf("us--a--b")).toBe("us");
  expect(jurisdictionOf("fedramp--x")).toBe("fedramp");
  expect(jurisdictionOf("fedramp-high--x")).toBe("fedramp-high");
});

it.each(["payments", "eu", "eu-payments", "europe--x", "x-eu--y", "high--x", "0--eu", ""])(
  "the id %j says nothing of it",
  (id) => {
    expect(jurisdictionOf(id)).toBeNull();
  },
);

it("an id is given the jurisdiction that is asked for, once, and never a second one", () => {
  expect(placedId("payments", "eu")).toBe("eu--payments");
  expect(placedId("eu--payments", "eu")).toBe("eu--payments");
  expect(placedId("us--payments", "eu")).toBeNull();
  expect(placedId("a--b", "us")).toBe("us--a--b");
});
