#!/usr/bin/env node
/** The program `edgeboard`. */
import { run } from "./run.ts";

// Whoever reads along may have had enough, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

// Not `exit`: what was written to a pipe may still be on its way.
process.exitCode = await run(process.argv.slice(2), process, process.env);
