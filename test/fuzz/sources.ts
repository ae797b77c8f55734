/** Files as `import` takes them, right and a little wrong. */
import { TEXTS } from "./hostile.ts";
import type { Random } from "./random.ts";
import type { Scene } from "./scene.ts";

export function sourceText(random: Random, scene: Scene, format: string | undefined): string {
  const text = right(random, scene, format ?? random.pick(["edgeboard", "beads", "taskmaster"]));
  return random.chance(0.4) ? spoilt(random, text) : text;
}

function right(random: Random, scene: Scene, format: string): string {
  if (format === "edgeboard") return scene.exported;
  const count = random.int(1, 4);
  const first = random.int(1, 40);
  if (format === "beads")
    return Array.from({ length: count }, (_, index) => JSON.stringify(bead(random, first + index))).join(
      "\n",
    );
  const tasks = Array.from({ length: count }, (_, index) => ({
    ...{ id: first + index, title: `task ${first + index}`, description: "text", status: "pending" },
    ...{ priority: random.pick(["low", "medium", "high"]), dependencies: index === 0 ? [] : [first] },
    subtasks: random.chance(0.3) ? [{ id: 1, title: "part", status: "pending" }] : [],
  }));
  return JSON.stringify({ [random.pick(["master", "other"])]: { tasks } });
}

function bead(random: Random, number: number) {
  const at = new Date(1_700_000_000_000 + random.int(0, 1e9)).toISOString();
  return {
    ...{ id: `bd-${number}`, title: `issue ${number}`, priority: random.int(0, 4), issue_type: "task" },
    ...{ status: random.pick(["open", "in_progress", "closed", "blocked", "tombstone"]) },
    ...{ created_at: at, updated_at: at, notes: random.pick(TEXTS) },
    dependencies: random.chance(0.4) ? [{ depends_on_id: `bd-${random.int(1, 40)}`, type: "blocks" }] : [],
  };
}

/** A character, a line or a word of it changed. */
function spoilt(random: Random, text: string): string {
  const at = random.int(0, text.length);
  const lines = text.split("\n");
  const line = random.int(0, lines.length - 1);
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(at),
    () => text.slice(0, at) + random.pick(TEXTS) + text.slice(at),
    () => lines.toSpliced(line, 1).join("\n"),
    () => [...lines, lines[line]].join("\n"),
    () => text.replace(/":"[^"]*"/, () => `":${JSON.stringify(random.pick(TEXTS))}`),
    () => text.replace(/":\d+/, () => `":${random.pick(["-1", "1e400", "null", '"x"', "[]", "{}", "0.5"])}`),
    () => text.replaceAll("\n", "\r\n"),
  ])();
}
