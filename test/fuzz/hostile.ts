/** What nobody should send, and somebody will. */
import type { Random } from "./random.ts";
import type { Json } from "./wire.ts";

/** Written in one line, apart from those that hold white space themselves. */
export const words = (line: string): string[] => line.split(" ");

/** Texts that break things: encodings, directions, languages of databases and shells, names of built-ins. */
export const TEXTS: readonly string[] = [
  ...words(
    "\u0000 a\u0000b \ud800 x\udfff \udc00\ud800 \ufeff \ufffe \uffff \u202egnp.exe \u2066\u2069 \u200b \u2028",
  ),
  ...words("مرحبا עברית e\u0301 ẞßſ İıI 👩‍👩‍👧‍👦 🏳️‍🌈 𝕏 Z͑ͫ̓ͪ̂ͫ̽͏ \u001b[31m \u0007 \u007f %00 %0d%0a %c0%af %"),
  ...words(
    '/* \\ \\\' ?1 @x " "" * a* title:x {title}:x NOT ^a -a (((( <script>alert(1)</script> {{7*7}} $(id) `id`',
  ),
  ...words(
    "../../etc/passwd ..\\..\\x __proto__ constructor toString hasOwnProperty null undefined NaN true",
  ),
  ...words("n n0 n-1 n1e3 n1.5 n01 N1 n999999999999999999999 0 -1 1e309 0x1f １２"),
  ...["", " ", "\t\n", "\r\nx-evil: 1", "'; drop table tasks; --", "' or '1'='1", "1; select * from events"],
  ...["NEAR(a b, 2)", "a AND (", "a OR b", "[object Object]", "| id"],
  ...[
    "x".repeat(65),
    "x".repeat(129),
    "x".repeat(501),
    "é".repeat(2_001),
    "😀".repeat(501),
    "x".repeat(20_001),
  ],
];

/** Numbers at the edges of what numbers are; those between signs are put into the JSON as they stand. */
export const NUMBERS: readonly (number | string)[] = [
  ...words(
    "0 1 -1 0.1 1.5 -0.0001 10 11 200 201 256 1001 2147483648 4294967296 9007199254740992 1e15 1e16",
  ).map(Number),
  ...words("1e21 1e308 -1e308 5e-324 4102444800000 4102444800001 999999999999").map(Number),
  ...words("@-0@ @1e400@ @-1e400@ @1.0@ @1E2@ @9007199254740993@ @123456789012345678901234567890@"),
];

/** JSON text, with the numbers that JavaScript itself could not write. */
export const jsonOf = (value: Json): string =>
  (JSON.stringify(value) ?? "").replace(/"@(-?[\d.eE+]+)@"/g, "$1");

/** A value of whatever kind. */
export function oddValue(random: Random): Json {
  const kinds: (() => Json)[] = [
    () => random.pick(TEXTS),
    () => random.pick(NUMBERS),
    () => random.pick([null, true, false]),
    () => random.pick([[], {}, [[]], [null], [{}], { "": "" }]),
    () => Array.from({ length: random.pick([21, 201, 5_001]) }, () => random.pick(["x", 1, null])),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, key) => [`k${key}`, key])),
    () => nested(random.pick([5, 100, 2_000]), random.chance(0.5)),
    () => JSON.parse('{"__proto__":{"role":"operator"},"constructor":{"prototype":{"x":1}}}'),
  ];
  return random.pick(kinds)();
}

export function nested(depth: number, array: boolean): Json {
  let value: Json = "deep";
  for (let level = 0; level < depth; level++) value = array ? [value] : { a: value };
  return value;
}

/** Bytes that are no JSON of ours, or hardly. */
export function oddBytes(random: Random, right: string): Buffer {
  const texts = [
    ...words(
      '{ [ " nul {}{} [] null 1 "text" {\'a\':1} {a:1} {,} {"a":1,} \u0000 {}\u0000 \ufeff{} NaN Infinity - 01',
    ),
    ...["", " ", '{"a":"\\ud800"}', '{"\\ud800":1}', "//x\n{}", "[".repeat(10_000), '{"a":'.repeat(10_000)],
    ...[right.slice(0, -1), `${right}x`, right + right, right.replace("{", '{"title":1,'), right.slice(1)],
  ];
  const bytes = [
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from([...Buffer.from(right), 0xc3, 0x28]),
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from(right, "utf16le"),
    Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(262_145, 0x20),
  ];
  return random.chance(0.8) ? Buffer.from(random.pick(texts)) : random.pick(bytes);
}

/** Parts of a path or a query as they go out: already encoded, or wrongly so. */
export const ENCODED: readonly string[] = [
  ...words(
    "%2e%2e %2e%2e%2f%2e%2e%2f ..%2f %252e%252e%252f %2f %5c %00 a%00b % %zz %f %ff %c0%ae %ed%a0%80 %e2%80%ae",
  ),
  ...words(
    "%F0%9F%98%80 %0d%0ax-evil:%201 %20 + * null undefined __proto__ constructor n0 n-1 n1%20 N1 %6e1 '%20or%201=1--",
  ),
  ...words("%22 ; :id {id} ~ @ 00000000-0000-0000-0000-000000000000"),
  ...["a".repeat(64), "a".repeat(65), "a".repeat(4_000)],
];

/** Values of headers that a connection still carries. */
export const HEADER_VALUES: readonly string[] = [
  ...words('é \u0080\u00ff " "1 "-1" W/ "99999999999999999" * -1 1.5 1e3 NaN null ../x <b> %0d%0a'),
  ...["", " ", "two words", "a\tb", '"1", "2"', "' or 1=1 --", "k".repeat(129), "k".repeat(4_000)],
];
