import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Handoff } from "../../src/contract/task.ts";
import { mask } from "../../src/rules/mask.ts";
import { Masking, maskLastWord } from "../../src/rules/masking.ts";
import { anyLeak, LEAKS } from "../support/secrets.ts";

const SEED = 20_51;
const plain = fc.string({
  unit: fc.constantFrom(..."abcxyzABZ019 .,;:/-_=+'\"\\n\n\t()[]{}$<>猫é🚀"),
  maxLength: 60,
});

describe("a secret is taken out of a text", () => {
  it.each(Object.keys(LEAKS))("%s", (name) => {
    fc.assert(
      fc.property(LEAKS[name] as (typeof LEAKS)[string], ({ text, secret }) => {
        const masked = mask(`Ran: ${text}\nand it was well.`);
        expect(masked).not.toContain(secret);
        expect(masked).toMatch(/\[masked: [a-z ]+\]/);
        expect(masked.startsWith("Ran: ")).toBe(true);
        expect(masked.endsWith("\nand it was well.")).toBe(true);
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  it("wherever it stands among others, and what stands around them stays", () => {
    // Two keys that were cut are one, where the first has lost its end and the second its beginning.
    const uncut = fc
      .constantFrom(...Object.entries(LEAKS).filter(([name]) => !name.startsWith("private key without")))
      .chain(([, leak]) => leak);
    fc.assert(
      fc.property(fc.array(uncut, { minLength: 1, maxLength: 6 }), (leaks) => {
        const masked = mask(leaks.map(({ text }) => `begin ${text}\nend.`).join("\n"));
        for (const { secret } of leaks) expect(masked).not.toContain(secret);
        expect(masked.match(/^begin /gm)).toHaveLength(leaks.length);
        expect(masked.match(/^end\.$/gm)).toHaveLength(leaks.length);
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it("and nothing is left for a second time", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            plain,
            anyLeak.map(({ text }) => text),
          ),
          { maxLength: 8 },
        ),
        (parts) => {
          const once = mask(parts.join(""));
          expect(mask(once)).toBe(once);
        },
      ),
      { numRuns: 3_000, seed: SEED },
    );
  });

  it("by what it is, so that a reader knows what stood there", () => {
    const token = `ghp_${"aB3".repeat(12)}`;
    expect(mask(`git clone https://x:${token}@github.com/acme/app`)).toBe(
      "git clone https://x:[masked: github token]@github.com/acme/app",
    );
    expect(mask(`GITHUB_TOKEN=${token} npm test`)).toBe("GITHUB_TOKEN=[masked: github token] npm test");
    expect(mask('PASSWORD="two words" ./run')).toBe('PASSWORD="[masked: secret]" ./run');
    expect(mask("mysql://root:hunter2@localhost/app")).toBe("mysql://root:[masked: password]@localhost/app");
  });
});

describe("what is no secret stays to the letter", () => {
  it.each([
    ["a commit", "Fixed in 3f2c1ab9d0e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8."],
    ["a uuid", "task 0198c5e2-7d3a-7c4e-9b1a-2f3e4d5c6b7a of n12"],
    [
      "a digest",
      "sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYg==",
    ],
    ["a digest in hex", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["a path", "/srv/apps/Edgeboard2/node_modules/.bin/vitest run test/board/claims.test.ts"],
    ["an address", "http://127.0.0.1:8787/boards/b/tasks/n12 and https://a.example/x@y"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
    ["a variable", 'curl -H "Authorization: Bearer $EDGEBOARD_TOKEN" --token ${TOKEN} --password "$(cat p)"'],
    ["a placeholder", "TOKEN=<your token> PASSWORD=*** API_KEY={{key}} SECRET=%SECRET% npm start"],
    ["a switch", "MAX_TOKENS=4096 TOKEN_FILE=/run/token CSRF_TOKEN=false PASSWORD_MIN=12 SECRET="],
    ["prose", "The token: it has expired. Password must have 8 characters; secret = none of yours."],
    ["a parser's word", "SyntaxError: Unexpected token: 'return' (line 12), expected token '}' = fine"],
    ["code", "const token = await readToken(request); if (token === null) return refuse();"],
    [
      "a package",
      "pypi-attestations and sk-learn-contrib-model-selection, task-force-of-twenty-people-and-more",
    ],
    [
      "a public key",
      "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKC\n-----END PUBLIC KEY-----",
    ],
    ["a commit beside a key's id", "[masked: aws key id] 3f2c1ab9d0e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8"],
  ])("%s", (_what, text) => {
    expect(mask(text)).toBe(text);
  });

  it("any text of words, and beside a secret too", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), fc.uuid(), fc.nat(), (words, id, count) => {
        const text = `${words}\n\t${id}: ${count} passed.`;
        expect(mask(text)).toBe(text);
        expect(mask(`${text}\nAKIA${"A7".repeat(8)}\n${text}`)).toBe(
          `${text}\n[masked: aws key id]\n${text}`,
        );
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});

describe("a text of 20,000 characters is looked through at once", () => {
  const HOSTILE = [
    "eyJ",
    "eyJ-",
    "eyJaaaaaaaa.",
    "sk-",
    "ghp_",
    "AKIA",
    `AKIA${"A".repeat(16)} `,
    "a://",
    "a://b:",
    "a.",
    "-",
    "--",
    "--a-",
    "x-a",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----BEGIN A ",
    `${"A".repeat(63)}\n`,
    "TOKEN",
    "TOKEN=",
    "password = ",
    'token"',
    "Authorization: ",
    "bearer \t",
    "\\n",
    "\\",
    "aA1",
    "A",
    " ",
    "\n",
    "xoxa.xox",
    "SG.aaaaaaaaaaaaaaaa",
  ];

  it.each(HOSTILE)("of %j over and over", (piece) => {
    const text = piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000);
    const began = performance.now();
    mask(text);
    mask(`${text}!`);
    // A few milliseconds; what grows with the square of the length takes seconds.
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe("of a last word", () => {
  const token = `npm_${"k9".repeat(18)}`;

  it("the words and the handoff are masked, and where is told", () => {
    const masking = new Masking();
    const handoff: Handoff = {
      done: ["one", `two ${token}`],
      commands: { init: `NPM_TOKEN=${token} npm ci`, verify: "npm test" },
      evidence: token,
      nativeSessionId: token,
    };
    const masked = maskLastWord(masking, { id: token, summary: token, error: "plain", handoff });
    expect(masked).toEqual({
      id: token,
      summary: "[masked: npm token]",
      error: "plain",
      handoff: {
        done: ["one", "two [masked: npm token]"],
        commands: { init: "NPM_TOKEN=[masked: npm token] npm ci", verify: "npm test" },
        evidence: "[masked: npm token]",
        nativeSessionId: token,
      },
    });
    expect(masking.told).toEqual({
      masked: ["summary", "handoff.evidence", "handoff.done.1", "handoff.commands.init"],
    });
  });

  it("nothing is told where nothing was masked", () => {
    const masking = new Masking();
    expect(maskLastWord(masking, { summary: "Well done." })).toEqual({ summary: "Well done." });
    expect(masking.told).toEqual({});
  });

  it("no field grows over what it may hold", () => {
    const many = "PASSWORD=abcd ".repeat(140);
    const masked = maskLastWord(new Masking(), { handoff: { commands: { init: many } } });
    expect(masked.handoff?.commands?.init).toHaveLength(2_000);
  });
});
