import { expect, it } from "vitest";
import { type EndedExecution, expiresAt, leaseState, lostReason } from "../../src/rules/lease.ts";

const BEAT = 1_800_000_000_000;
const TTL = 180_000;

it("a lease expires a whole TTL after its last beat", () => {
  expect(expiresAt(BEAT, TTL)).toBe(BEAT + TTL);
});

it.each([
  { after: 0, state: "live" },
  { after: TTL - 1, state: "live" },
  { after: TTL, state: "expired" },
  { after: TTL + 1, state: "expired" },
])("$after ms after the beat the lease is $state", ({ after, state }) => {
  expect(leaseState(BEAT, TTL, BEAT + after)).toBe(state);
});

it("a lease is live when the clock stands before its beat", () => {
  expect(leaseState(BEAT, TTL, BEAT - 60_000)).toBe("live");
});

const ended = (status: EndedExecution["status"], reason: string | null = null): EndedExecution => ({
  status,
  reason,
  epoch: 4,
});

it.each([
  { execution: ended("succeeded"), lost: "completed" },
  { execution: ended("failed"), lost: "completed" },
  { execution: ended("timed_out"), lost: "timed_out" },
  { execution: ended("released"), lost: "released" },
  { execution: ended("released", "tired"), lost: "released" },
  { execution: ended("cancelled"), lost: "cancelled" },
  { execution: ended("cancelled", "no longer wanted"), lost: "cancelled" },
  { execution: ended("cancelled", "displaced"), lost: "displaced" },
  { execution: ended("cancelled", "revoked"), lost: "revoked" },
  { execution: ended("running"), lost: "unknown" },
])(
  "a token of a run that is $execution.status ($execution.reason) is lost as $lost",
  ({ execution, lost }) => {
    expect(lostReason(execution, 4)).toBe(lost);
  },
);

it.each(["running", "succeeded", "failed", "timed_out", "cancelled", "released"] as const)(
  "a newer claim supersedes a token whose run is %s",
  (status) => {
    expect(lostReason(ended(status), 5)).toBe("superseded");
  },
);

it("a reason that only looks like a privilege is not one on another status", () => {
  expect(lostReason(ended("released", "revoked"), 4)).toBe("released");
  expect(lostReason(ended("timed_out", "displaced"), 4)).toBe("timed_out");
});

it("an orphan's run was given up, not completed", () => {
  expect(lostReason(ended("failed", "orphan"), 4)).toBe("timed_out");
});

it("a token this board never granted is unknown", () => {
  expect(lostReason(null, 0)).toBe("unknown");
  expect(lostReason(null, 99)).toBe("unknown");
});
