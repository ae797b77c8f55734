/** What a value is, all the way down: its kinds, the members of its objects, the items of its arrays as one. */
export interface Shape {
  is: string[];
  has?: Record<string, Shape>;
  of?: Shape;
}

export function shapeOf(value: unknown): Shape {
  if (value === null) return { is: ["null"] };
  if (Array.isArray(value)) return { is: ["array"], of: value.map(shapeOf).reduce(merge, { is: [] }) };
  if (typeof value !== "object") return { is: [typeof value] };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return {
    is: ["object"],
    has: Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)])),
  };
}

export function merge(one: Shape, other: Shape): Shape {
  const is = [...new Set([...one.is, ...other.is])].sort();
  const names = [...new Set([...Object.keys(one.has ?? {}), ...Object.keys(other.has ?? {})])].sort();
  const has = names.map((name) => [name, merge(one.has?.[name] ?? NONE, other.has?.[name] ?? NONE)] as const);
  const of = one.of === undefined || other.of === undefined ? (one.of ?? other.of) : merge(one.of, other.of);
  return { is, ...(names.length > 0 ? { has: Object.fromEntries(has) } : {}), ...(of ? { of } : {}) };
}

const NONE: Shape = { is: [] };

/** The value without the members that the shape does not know: as somebody would send it who never heard of them. */
export function cut(value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => cut(item, shape.of));
  if (Object.getPrototypeOf(value) !== Object.prototype || shape.has === undefined) return value;
  const known = Object.entries(value).filter(([name]) => shape.has?.[name] !== undefined);
  return Object.fromEntries(known.map(([name, member]) => [name, cut(member, shape.has?.[name])]));
}

/** What one shape has and the other has not: paths of members, and of kinds. */
export function lost(before: Shape, now: Shape | undefined, at = ""): string[] {
  if (now === undefined) return [at];
  const kinds = before.is.filter((kind) => !now.is.includes(kind)).map((kind) => `${at}: ${kind}`);
  const members = Object.entries(before.has ?? {}).flatMap(([name, shape]) =>
    lost(shape, now.has?.[name], `${at}.${name}`),
  );
  return [...kinds, ...members, ...(before.of === undefined ? [] : lost(before.of, now.of, `${at}[]`))];
}
