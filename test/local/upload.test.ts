/** An upload by the vendor's own program, to a stand-in for the vendor. */
import { expect, it } from "vitest";
import { upload } from "../../src/local/upload.ts";
import { cloudflare } from "./cloudflare.ts";

const REQUIRED = ["EDGEBOARD_OPERATOR_TOKEN", "EDGEBOARD_SIGNING_KEY"];

it("a first deployment makes the secrets, tells them once and hands them over; the next one leaves them", async () => {
  const there = await cloudflare();
  const told: string[] = [];
  const variables = { ...process.env, ...there.variables } as NodeJS.ProcessEnv;
  for (const name of REQUIRED) delete variables[name];
  const staging = { environment: "staging", required: REQUIRED, variables };

  expect(await upload({ ...staging, tell: null })).toMatch(
    /^a first deployment makes EDGEBOARD_OPERATOR_TOKEN/,
  );
  expect(there.uploads).toEqual([]);

  expect(await upload({ ...staging, tell: (words) => told.push(words) })).toBeNull();
  const [first] = there.uploads;
  expect(first?.worker).toBe("edgeboard-staging");
  const secrets = new Map(
    first?.metadata.bindings
      .filter(({ type }) => type === "secret_text")
      .map(({ name, text }) => [name, text]),
  );
  expect([...secrets.keys()].sort()).toEqual(REQUIRED);
  for (const secret of secrets.values()) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(told).toHaveLength(1);
  for (const [name, secret] of secrets) expect(told[0]).toContain(`${name}=${secret}`);
  expect(Object.keys(first?.metadata.exports ?? {})).toEqual(["Board", "Directory"]);

  expect(await upload({ ...staging, tell: null })).toBeNull();
  const kept = there.uploads[1]?.metadata.bindings.filter(({ name }) => REQUIRED.includes(name));
  expect(kept?.map(({ type }) => type)).toEqual(["inherit", "inherit"]);
  there.close();
}, 240_000);
