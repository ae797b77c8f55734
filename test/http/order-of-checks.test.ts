/** The order of checks over the wire: who is let in at all, and each refusal there is for each caller and task. */
import { describe, expect, it } from "vitest";
import { answerTo, lostBecause, type Who, type Write } from "../board/order-of-checks.ts";
import { type Scene, type Stage, setStage } from "../board/order-scenes.ts";
import { everyWrite } from "../board/order-writes.ts";
import { call, newBoard, type Reply, refused } from "../support/api.ts";
import { standing } from "./support.ts";

const FORBIDDEN = ["override_forbidden", "forbidden", "self_review", "identity_mismatch"];

const RED = [{ red: true, waits: false }];

function statusOf(code: string): number {
  return FORBIDDEN.includes(code) ? 403 : code === "version_mismatch" ? 412 : 409;
}

function send({ board, tokens }: Stage, { id, lease, version }: Scene, write: Write): Promise<Reply> {
  const { verb, sends, to, fields, outcome, stale, override, displace } = write;
  const path = `${board.path}/tasks/${id}`;
  const leaseToken = { "no token": undefined, "its token": lease?.token, "a guess": "a guess" }[sends];
  if (verb !== "patch") {
    const word = verb === "complete" ? { outcome, status: to } : {};
    return call(tokens[write.by], "POST", `${path}/${verb}`, { ...word, leaseToken });
  }
  const body = {
    ...(to === null ? {} : { status: to }),
    ...Object.fromEntries(fields.map((field) => [field, "new"])),
    ...(override ? { humanOverride: true } : {}),
    ...(displace ? { displace: true } : {}),
    leaseToken,
  };
  return call(tokens[write.by], "PATCH", path, body, stale ? { "if-match": `"${version + 1}"` } : {});
}

/** For each caller and state of a lease, the first write there is for every refusal. */
function refusals({ standing, lease }: Scene, met = new Set<string>()): [code: string, write: Write][] {
  const found: [string, Write][] = [];
  for (const write of everyWrite()) {
    if (write.sends === "its token" && lease === null) continue;
    const code = answerTo(standing, write);
    const kind = `${code} ${write.by} ${write.verb} ${standing.lease}`;
    if (code === "accepted" || code === "nothing to do" || met.has(kind)) continue;
    met.add(kind);
    found.push([code, write]);
  }
  return found;
}

describe("a write", () => {
  it("is refused over the wire as it is inside, under the status of its code, and changes nothing", async () => {
    const stage = await setStage(RED);
    const met = new Set<string>();
    for (const scene of stage.scenes) {
      const before = await standing(stage.board, scene.id);
      for (const [code, write] of refusals(scene, met)) {
        const reply = await send(stage, scene, write);
        const about = JSON.stringify({ ...scene.standing, ...write });
        expect([reply.status, reply.json.code, about]).toEqual([statusOf(code), code, about]);
        if (code === "lease_lost")
          expect([reply.json.reason, about]).toEqual([lostBecause(scene.standing, write), about]);
      }
      expect(await standing(stage.board, scene.id)).toBe(before);
    }
    expect(met.size).toBeGreaterThan(300);
  }, 60_000);

  it("is nobody's without a token, none of this board's with another's, and never a viewer's", async () => {
    const stage = await setStage(RED);
    const viewer = await stage.board.mint("viewer", "viewer");
    const elsewhere = await newBoard();
    for (const [token, status, code] of [
      [null, 401, "unauthenticated"],
      ["not a token", 401, "unauthenticated"],
      [elsewhere.lead, 404, "board_not_found"],
      [viewer, 403, "forbidden"],
    ] as const)
      for (const scene of [...stage.scenes, { ...(stage.scenes[0] as Scene), id: "n9999" }]) {
        const tokens = { ...stage.tokens, stranger: token as string };
        for (const [_, write] of refusals(scene).filter(([, { by }]) => by === "stranger"))
          refused(await send({ ...stage, tokens }, scene, write), status, code);
      }
  });

  it("to a task that is not there says so before anything else that is wrong with it", async () => {
    const stage = await setStage(RED);
    const [scene] = stage.scenes as [Scene];
    const askers = new Set<Who>();
    for (const [_, write] of refusals(scene)) {
      refused(await send(stage, { ...scene, id: "n9999" }, write), 404, "task_not_found");
      askers.add(write.by);
    }
    expect(askers.size).toBe(7);
  });
});
