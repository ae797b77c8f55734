/**
 * What the files of `dist/web` are answered with: the rules, and the same as the text of their `_headers` file, which
 * the platform reads. The Worker's own answers have theirs in `http/app.ts`.
 */

/** Rules apply in their order, each to the paths that begin so; a later one may replace what an earlier one set. */
export interface HeaderRule {
  below: string;
  set: Record<string, string>;
}

/** The page loads from its own origin alone, and nothing that is written into a document runs or styles. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  // In the browsers of today it stands for the origin's sockets as well.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join("; ");

export const HEADER_RULES: HeaderRule[] = [
  {
    below: "/",
    set: {
      "Content-Security-Policy": PAGE_POLICY,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Strict-Transport-Security": "max-age=15552000; includeSubDomains",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      // A path within the page is answered with index.html, which names the files of the day: it is asked for anew.
      "Cache-Control": "no-cache",
    },
  },
  { below: "/assets/", set: { "Cache-Control": "public, max-age=31536000, immutable" } },
];

/** Where two rules name a header the platform joins their values, unless the later one takes the first away. */
export const PAGE_HEADERS = `${HEADER_RULES.map(({ below, set }, index) => {
  const before = HEADER_RULES.slice(0, index).filter((rule) => below.startsWith(rule.below));
  const lines = Object.entries(set).flatMap(([name, value]) => [
    ...(before.some((rule) => name in rule.set) ? [`  ! ${name}`] : []),
    `  ${name}: ${value}`,
  ]);
  return [`${below}*`, ...lines].join("\n");
}).join("\n\n")}\n`;
