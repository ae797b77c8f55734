/** Secrets of every family the board masks, made up. Put together here, so that no scanner takes this file for a leak. */
import fc from "fast-check";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const UPPER = LOWER.toUpperCase();
const ALNUM = UPPER + LOWER + DIGITS;

const of = (letters: string, least: number, most = least) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: least, maxLength: most });
const after = (prefix: string, body: fc.Arbitrary<string>) => body.map((text) => prefix + text);
/** A secret that is told by its name needs a digit, or a word would be one. */
const value = of(ALNUM, 6, 30).map((text) => `Zq7${text}`);
const segment = (json: object) => btoa(JSON.stringify(json)).replace(/=+$/, "");

export interface Leak {
  /** As it stands in a text. */
  text: string;
  /** What must be nowhere. */
  secret: string;
}

const whole = (secret: fc.Arbitrary<string>) => secret.map((text): Leak => ({ text, secret: text }));
const within = (before: string, behind = "", secret = value) =>
  secret.map((text): Leak => ({ text: before + text + behind, secret: text }));

const keyLines = fc
  .array(of(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 6 })
  .map((lines) => lines.join("\n"));
const pem = (before: string, behind: string) =>
  keyLines.map((lines): Leak => ({ text: before + lines + behind, secret: lines.split("\n")[1] ?? "" }));
const BEGIN = ["-----BEGIN", "RSA PRIVATE KEY-----\n"].join(" ");
const END = ["\n-----END", "RSA PRIVATE KEY-----"].join(" ");

export const LEAKS: Record<string, fc.Arbitrary<Leak>> = {
  "aws key id": whole(after("AKIA", of(UPPER + DIGITS, 16))),
  "session key id of aws": whole(after("ASIA", of(UPPER + DIGITS, 16))),
  "aws secret": fc
    .tuple(after("AKIA", of(UPPER + DIGITS, 16)), after("aB1", of(ALNUM, 37)))
    .map(([id, secret]) => ({ text: `${id}\t${secret}`, secret })),
  "github token": whole(
    fc.constantFrom("ghp_", "gho_", "ghu_", "ghs_", "ghr_").chain((p) => after(p, of(ALNUM, 36))),
  ),
  "fine-grained github token": whole(after("github_pat_", of(ALNUM, 60))),
  "gitlab token": whole(after("glpat-", of(`${ALNUM}-`, 20, 40))),
  "anthropic key": whole(after("sk-ant-api03-", of(`${ALNUM}_-`, 60))),
  "openai key": whole(after("sk-", of(ALNUM, 48))),
  "openai project key": whole(after("sk-proj-", of(`${ALNUM}_-`, 60))),
  "slack token": whole(fc.constantFrom("xoxb-", "xoxp-", "xoxa-").chain((p) => after(p, of(DIGITS, 12)))),
  "google key": whole(after("AIza", of(`${ALNUM}_-`, 35))),
  "stripe key": whole(fc.constantFrom("sk_live_", "rk_live_").chain((p) => after(p, of(ALNUM, 24)))),
  "secret of a webhook": whole(after("whsec_", of(ALNUM, 32))),
  "npm token": whole(after("npm_", of(ALNUM, 36))),
  "pypi token": whole(after("pypi-AgEIcHlwaS5vcmc", of(`${ALNUM}_-`, 60))),
  "hugging face token": whole(after("hf_", of(ALNUM, 34))),
  "cloudflare token": whole(after("cfut_", of(ALNUM, 48))),
  "signed token": whole(
    fc
      .tuple(of(ALNUM, 5, 20), of(`${ALNUM}_-`, 43))
      .map(([sub, mac]) => `${segment({ alg: "HS256", typ: "lease+jwt" })}.${segment({ sub })}.${mac}`),
  ),
  "private key": pem(BEGIN, END),
  "private key without its end": pem(BEGIN, ""),
  "private key without its beginning": pem("", END),
  "authorization header": within('curl -H "Authorization: Bearer ', '"'),
  "password of an address": within("postgres://app:", "@db.example.com/app"),
  "variable of the environment": within("DEPLOY_TOKEN="),
  "quoted variable": within('export DB_PASSWORD="', '"'),
  "secret of an ini file": within("aws_secret_access_key = "),
  "secret of a json file": within('{"client_secret": "', '"}'),
  "argument of a command": within("deploy --api-key "),
  "other header": within("curl -H 'X-Api-Key: ", "'"),
  "secret of a query": within("https://example.com/?page=2&access_token="),
};

export const anyLeak: fc.Arbitrary<Leak> = fc.constantFrom(...Object.values(LEAKS)).chain((leak) => leak);
