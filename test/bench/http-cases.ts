/** What `bench:http` asks, as a client asks it. */
import type { Call } from "./http-client.ts";

export interface HttpCase {
  name: string;
  /** Of how many tasks the board is. */
  size: number;
  /** What has to be there before each call; not timed. */
  before?: (call: Call, index: number) => Promise<unknown>;
  run: (call: Call, index: number, given: never) => Promise<unknown>;
  /** So many of them instead of the usual number: these are large. */
  samples?: number;
}

export const SIZES = [1_000, 10_000, 100_000];
/** Half of a board waits; behind those stand the ready ones. */
const ready = (size: number, index: number) => `task-${size / 2 + 1 + index}`;

const grants = new Map<string, { id: string; leaseToken: string }>();

async function claimOne(call: Call): Promise<{ id: string; leaseToken: string }> {
  const { claims } = await call("POST", "/claims", { limit: 1 });
  return { id: claims[0].task.id, leaseToken: claims[0].lease.token };
}

export const CASES: HttpCase[] = SIZES.flatMap((size): HttpCase[] => [
  {
    name: "claim",
    size,
    run: (call, index) => call("POST", `/tasks/${ready(size, index)}/claim`, {}),
  },
  { name: "claim-next", size, run: (call) => call("POST", "/claims", { limit: 1 }) },
  {
    name: "heartbeat",
    size,
    before: async (call) => {
      const known = grants.get(`${size}`) ?? (await claimOne(call));
      grants.set(`${size}`, known);
      return known;
    },
    run: (call, _index, { id, leaseToken }: { id: string; leaseToken: string }) =>
      call("POST", `/tasks/${id}/heartbeat`, { leaseToken }),
  },
  {
    name: "complete",
    size,
    before: claimOne,
    run: (call, _index, { id, leaseToken }: { id: string; leaseToken: string }) =>
      call("POST", `/tasks/${id}/complete`, { leaseToken, outcome: "succeeded", status: "done" }),
  },
  { name: "create", size, run: (call, index) => call("POST", "/tasks", { title: `Task ${index}` }) },
  { name: "ready, 50", size, run: (call) => call("GET", "/tasks?ready=true&limit=50") },
  { name: "list, 50", size, run: (call) => call("GET", "/tasks?limit=50") },
  { name: "snapshot", size, run: (call) => call("GET", "/snapshot") },
  {
    name: "plan of 1,000",
    size,
    samples: 3,
    run: (call) =>
      call("POST", "/plans", {
        tasks: Array.from({ length: 1_000 }, (_, index) => ({ ref: `r${index}`, title: `Planned ${index}` })),
      }),
  },
]);
