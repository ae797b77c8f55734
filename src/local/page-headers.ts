/**
 * What the files of `dist/web` are answered with, as the text of their `_headers` file. The Worker's own answers have
 * theirs in `http/app.ts`.
 */

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

/** A path within the page is answered with index.html, which names the files of the day: it is asked for anew. */
export const PAGE_HEADERS = `/*
  Content-Security-Policy: ${PAGE_POLICY}
  X-Content-Type-Options: nosniff
  X-Frame-Options: DENY
  Referrer-Policy: no-referrer
  Strict-Transport-Security: max-age=15552000; includeSubDomains
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
  Cache-Control: no-cache

/assets/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable
`;
