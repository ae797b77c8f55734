/**
 * The audit as a stream out of the object, oldest first: what was written when it was asked for, read page by page as
 * it is fetched. Rows are only ever added, so the pages are one consistent read. Its last line counts them.
 */
import { accept } from "../contract/result.ts";
import { auditBetween, lastAuditNumber } from "./operations/list-audit.ts";
import { read } from "./operations.ts";
import type { Call, Reply } from "./replay.ts";
import type { Runner } from "./runner.ts";

const AUDIT_PAGE = 500;
const LAST = read(lastAuditNumber);
const PAGE = read(auditBetween);

export function auditStream(runner: Runner, call: Call): Reply<ReadableStream<Uint8Array>> {
  return runner.counted("exportAudit", () => open(runner, call));
}

function open(runner: Runner, call: Call): Reply<ReadableStream<Uint8Array>> {
  const last = runner.serve(LAST, call, undefined);
  if (!last.ok) return last;
  const utf8 = new TextEncoder();
  const write = (lines: readonly object[]) =>
    utf8.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  let after = 0;
  let entries = 0;
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const page = runner.run(PAGE, call, { after, upTo: last.value, limit: AUDIT_PAGE });
      if (!page.ok) return controller.error(new Error(page.detail));
      entries += page.value.length;
      after = page.value.at(-1)?.id ?? last.value;
      if (page.value.length > 0)
        controller.enqueue(write(page.value.map((entry) => ({ type: "audit", ...entry }))));
      if (after < last.value) return;
      controller.enqueue(write([{ type: "end", entries }]));
      controller.close();
    },
  });
  return accept(stream);
}
