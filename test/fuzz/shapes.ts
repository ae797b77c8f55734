/** Values that fit a JSON schema: ordinary ones mostly, now and then one at its bounds. */
import type { Interface } from "./interface.ts";
import type { Random } from "./random.ts";
import type { Json } from "./wire.ts";

const AT_THE_BOUND = 0.04;
const OPTIONAL = 0.35;
const WORDS = ["parser", "Überprüfung", "测试", "line\nbreak", "a b c", "naïve", "🚀 launch", "x"];

export interface Shaping {
  random: Random;
  api: Interface;
  /** What a member of this name means here: something that is there. undefined: nothing in particular. */
  hint: (name: string) => Json;
}

export function shapeOf(shaping: Shaping, given: Json, name = ""): Json {
  const { random, api } = shaping;
  const hint = random.chance(0.85) ? shaping.hint(name) : undefined;
  if (hint !== undefined) return hint;
  const schema = api.resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return shapeOf(shaping, random.pick(branches), name);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part: Json) => shapeOf(shaping, part, name)));
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return objectOf(shaping, schema);
    case "array":
      return arrayOf(shaping, schema, name);
    case "string":
      return textOf(random, schema);
    case "integer":
    case "number":
      return numberOf(random, schema);
    case "boolean":
      return random.chance(0.5);
    default:
      return null;
  }
}

function objectOf(shaping: Shaping, { properties = {}, required = [] }: Json): Json {
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || shaping.random.chance(OPTIONAL),
  );
  return Object.fromEntries(names.map((name) => [name, shapeOf(shaping, properties[name], name)]));
}

function arrayOf(shaping: Shaping, { items = {}, minItems = 0, maxItems = 5 }: Json, name: string): Json {
  const { random } = shaping;
  const most = random.chance(AT_THE_BOUND) && maxItems <= 200 ? maxItems : Math.min(maxItems, 3);
  return Array.from({ length: random.int(minItems, Math.max(minItems, most)) }, () =>
    shapeOf(shaping, items, name),
  );
}

function textOf(random: Random, { pattern, minLength = 0, maxLength = 40 }: Json): string {
  if (pattern !== undefined)
    return /\\d/.test(pattern) ? random.pick(["1", "2", "50", "200", "0"]) : `z${random.word(8)}`;
  if (random.chance(AT_THE_BOUND))
    return random.pick(["x", "é", "😀"]).repeat(random.pick([minLength, maxLength]));
  return random.pick(WORDS).slice(0, maxLength);
}

function numberOf(random: Random, { type, minimum = 0, maximum = 1_000_000 }: Json): number {
  if (random.chance(0.3)) return random.pick([minimum, maximum]);
  const small = random.int(minimum, Math.min(maximum, minimum + 10));
  return type === "number" && small < maximum && random.chance(0.3) ? small + 0.25 : small;
}
