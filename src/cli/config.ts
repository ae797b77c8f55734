/** Which server, whose token, which board: flags first, then the environment, then what `login` keeps. */
import { EXIT, Failure, Misused } from "./failure.ts";
import { readLogin } from "./login-file.ts";

export interface Given {
  url?: string | undefined;
  token?: string | undefined;
  board?: string | undefined;
}

export interface Config {
  url: string;
  token: string | undefined;
  board: string | undefined;
}

const LOCAL = "http://127.0.0.1:8787";

export function readConfig(flags: Given, env: Record<string, string | undefined>): Config {
  const login = readLogin(env);
  const url = cleanUrl(flags.url ?? (env["EDGEBOARD_URL"] || (login?.url ?? LOCAL)));
  // A token is told to the server it was kept for, and to no other.
  const kept = login !== null && cleanUrl(login.url) === url ? login : null;
  const token = flags.token ?? (env["EDGEBOARD_TOKEN"] || kept?.token);
  const named = flags.board ?? (env["EDGEBOARD_BOARD"] || (token === kept?.token ? kept?.board : undefined));
  return { url, token, board: named ?? (token === undefined ? undefined : boardOf(token)) };
}

export function requireToken({ url, token }: Config): string {
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new Failure(
    token === undefined ? `There is no token for ${url}.` : "The token has characters no token has.",
    "Sign in with `edgeboard login`, or set EDGEBOARD_TOKEN.",
    EXIT.auth,
  );
}

/** The address as it is compared and called: without what stands behind its path. */
export function cleanUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Misused(`"${given}" is no address of a server.`, "It looks like https://board.example.");
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/**
 * The board a token says it is for, which saves asking. It proves nothing and need not: a wrong board is refused.
 */
export function boardOf(token: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as unknown;
    const board = (claims as { board?: unknown }).board;
    return typeof board === "string" ? board : undefined;
  } catch {
    return undefined;
  }
}
