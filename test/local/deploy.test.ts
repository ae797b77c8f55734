/** What `npm run deploy` decides before anything leaves this machine. */
import { describe, expect, it } from "vitest";
import { readArguments } from "../../src/local/deploy-arguments.ts";
import { handover, readSecretList } from "../../src/local/deploy-secrets.ts";
import { measure } from "../../src/local/measure.ts";
import { overweight, sizeOf, WORKER_BOUND } from "../../src/local/worker-size.ts";

describe("arguments", () => {
  const read = (...args: string[]) => readArguments(args, ["production", "staging"]);

  it("name an environment, and whether it is a trial", () => {
    expect(read()).toEqual({ environment: "production", dryRun: false });
    expect(read("--env", "staging", "--dry-run")).toEqual({ environment: "staging", dryRun: true });
    expect(read("--env=staging")).toEqual({ environment: "staging", dryRun: false });
  });

  it("that say nothing we know are told as that", () => {
    expect(read("--env", "prod")).toBe('wrangler.toml has no environment "prod": take production or staging');
    for (const args of [["--dry"], ["staging"], ["--env"]]) expect(typeof read(...args)).toBe("string");
  });
});

describe("secrets", () => {
  const REQUIRED = ["TOKEN", "KEY"];
  const strong = "s".repeat(32);
  const fresh = () => "fresh".repeat(8);

  it("are made where the Worker has none", () => {
    expect(handover(REQUIRED, [], {}, fresh)).toEqual({
      values: { TOKEN: fresh(), KEY: fresh() },
      made: ["TOKEN", "KEY"],
    });
  });

  it("are left alone where it has them, whatever the environment says", () => {
    const environment = { TOKEN: strong, KEY: "short" };
    expect(handover(REQUIRED, REQUIRED, environment, fresh)).toEqual({ values: {}, made: [] });
    expect(handover(REQUIRED, ["KEY"], environment, fresh)).toEqual({
      values: { TOKEN: strong },
      made: [],
    });
  });

  it("of the environment have 32 characters, or are refused by name", () => {
    expect(handover(REQUIRED, [], { KEY: "k".repeat(31) }, fresh)).toMatch(
      /^KEY in the environment has 31 characters and needs 32/,
    );
    expect(handover(REQUIRED, [], { TOKEN: "" }, fresh)).toMatch(/^TOKEN .* has 0 characters/);
  });

  it("are listed, none for a Worker that is not there yet, and any other failure is told", () => {
    const list = '\n[\n  {"name":"TOKEN","type":"secret_text"}\n]\n';
    expect(readSecretList({ code: 0, output: list })).toEqual(["TOKEN"]);
    expect(readSecretList({ code: 1, output: 'Worker "edgeboard" (env: production) not found.\n' })).toEqual(
      [],
    );
    expect(readSecretList({ code: 1, output: "\u001b[1mAuthentication error [code: 10000]" })).toContain(
      "10000",
    );
    expect(readSecretList({ code: 1, output: "host not found" })).toContain("could not be listed");
  });
});

describe("the size", () => {
  it("is that of all modules, and fits up to its bound", () => {
    const size = sizeOf([
      { name: "index.js", content: Buffer.from("a".repeat(1_000)) },
      { name: "x.sql", content: Buffer.from("b".repeat(24)) },
    ]);
    expect(size.raw).toBe(1_024);
    expect(size.gzip).toBeLessThan(100);
    expect(overweight(size, size)).toBeNull();
    expect(overweight(size, { ...size, raw: 1_023 })).toContain("the Worker has 1.0 KiB");
    expect(overweight(size, { ...size, gzip: size.gzip - 1 })).not.toBeNull();
  });

  it("of the Worker is measured as it would be uploaded, and a trial fails over a bound it does not fit", async () => {
    const { lines, fault } = await measure("staging", { ...WORKER_BOUND, gzip: 100 * 1024 });
    expect(lines[0]).toMatch(/^Worker {3}\d{4}\.\d KiB, \d{3}\.\d KiB compressed, in \d+ modules/);
    expect(fault).toMatch(/^the Worker has .*, and may have .* 100\.0 KiB compressed/);
  }, 120_000);
});
