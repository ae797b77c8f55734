/** The ways a request is spoilt, one at a time. */
import { ENCODED, HEADER_VALUES, nested, oddBytes, oddValue, TEXTS, words } from "./hostile.ts";
import type { Random } from "./random.ts";
import type { Draft } from "./requests.ts";
import type { Json } from "./wire.ts";

type Wrong = (random: Random, draft: Draft) => void;

const BUILT_INS = ["", ...words("__proto__ constructor prototype toString hasOwnProperty surprise \u0000")];
const TYPES = [
  ...words(
    "text/plain application/xml application/json; APPLICATION/JSON application/x-www-form-urlencoded json */*",
  ),
  ...[
    "",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=x",
    "application/merge-patch+json",
  ],
];
const METHODS = words("GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND MKCOL QUERY");
const HEADERS = [
  ...words("idempotency-key if-match if-match-seq x-request-id accept cookie origin range upgrade referer"),
  ...words("x-http-method-override x-forwarded-for content-language if-none-match accept-encoding"),
];

const member: Wrong = (random, draft) => {
  const places = placesOf(draft.json);
  if (places.length === 0) return;
  const { holder, key } = random.pick(places);
  holder[key] = oddValue(random);
};

const unknownMember: Wrong = (random, draft) => {
  const holders = [draft.json, ...placesOf(draft.json).map(({ holder, key }) => holder[key])].filter(
    isObject,
  );
  if (holders.length === 0) return;
  const value = random.pick([1, "x", null, { role: "operator" }, nested(40, true)]);
  Object.defineProperty(random.pick(holders), random.pick(BUILT_INS), {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
};

const missingMember: Wrong = (random, draft) => {
  const places = placesOf(draft.json).filter(({ holder }) => isObject(holder));
  if (places.length === 0) return;
  const { holder, key } = random.pick(places);
  delete holder[key];
};

const otherBody: Wrong = (random, draft) => {
  draft.json = oddValue(random);
  draft.headers["content-type"] = "application/json";
};

const otherBytes: Wrong = (random, draft) => {
  draft.bytes = oddBytes(random, JSON.stringify(draft.json ?? {}));
  draft.headers["content-type"] ??= "application/json";
};

const noBody: Wrong = (_, draft) => {
  draft.json = undefined;
  draft.bytes = null;
};

const type: Wrong = (random, draft) => {
  draft.headers["content-type"] = random.pick(TYPES);
  if (draft.headers["content-type"] === "") delete draft.headers["content-type"];
};

const parameter: Wrong = (random, draft) => {
  const names = draft.operation.query.map(({ name }) => name);
  const value = random.chance(0.5)
    ? random.pick(ENCODED)
    : encodeURIComponent(wellFormed(random.pick(TEXTS)));
  const name =
    names.length > 0 && random.chance(0.7)
      ? random.pick(names)
      : random.pick(["surprise", "__proto__", "%00", "constructor", "limit[]", ""]);
  draft.query = draft.query.filter(([each]) => each !== name || random.chance(0.5));
  draft.query.push([name, value]);
};

const twice: Wrong = (random, draft) => {
  if (draft.query.length === 0) return parameter(random, draft);
  draft.query.push([...random.pick(draft.query)]);
};

const path: Wrong = (random, draft) => {
  if (draft.operation.params.length === 0) return;
  draft.params[random.pick(draft.operation.params)] = random.pick(ENCODED);
};

const method: Wrong = (random, draft) => {
  draft.method = random.pick(METHODS);
};

const header: Wrong = (random, draft) => {
  draft.headers[random.pick(HEADERS)] = random.pick(HEADER_VALUES);
};

const credentials: Wrong = (random, draft) => {
  const given = draft.headers["authorization"] ?? "Bearer none";
  draft.headers["authorization"] = random.pick([
    ...[
      given.slice(0, -1),
      `${given}x`,
      given.replace("Bearer", "Basic"),
      given.replace("Bearer ", ""),
      `${given}, ${given}`,
    ],
    ...[
      "",
      "Bearer",
      "Bearer ",
      "Bearer null",
      "Bearer \u00e9",
      `Bearer ${"x".repeat(5_000)}`,
      "Bearer a.b.c",
      "Bearer ....",
    ],
  ]);
};

const EVERYWHERE: Wrong[] = [
  parameter,
  parameter,
  twice,
  path,
  path,
  method,
  header,
  header,
  credentials,
  otherBytes,
];
const BODIED: Wrong[] = [
  member,
  member,
  member,
  unknownMember,
  missingMember,
  otherBody,
  otherBytes,
  noBody,
  type,
];

/** Spoils it in one or two ways. */
export function spoil(random: Random, draft: Draft): void {
  draft.spoilt = true;
  const ways = draft.json === undefined ? EVERYWHERE : [...BODIED, ...BODIED, ...BODIED, ...EVERYWHERE];
  for (let count = random.int(1, 2); count > 0; count--) random.pick(ways)(random, draft);
}

const DEEP = 12;

/** Every place in a value where something else could stand, as far as it is worth going. */
function placesOf(value: Json, depth = 0): { holder: Json; key: string }[] {
  if (typeof value !== "object" || value === null || depth > DEEP) return [];
  return Object.keys(value)
    .slice(0, 50)
    .flatMap((key) => [{ holder: value, key }, ...placesOf(value[key], depth + 1)]);
}

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What can be written into a URL at all. */
const wellFormed = (text: string): string => text.toWellFormed();
