/**
 * What the network does before the Worker is asked, for a runtime of one's own: which requests are the Worker's and
 * which the page's, and from where they come.
 */

interface FrontEnv {
  EDGEBOARD: Fetcher;
  PAGE: Fetcher;
  /** `run_worker_first` of wrangler.toml. */
  WORKER_FIRST: string[];
}

const ADDRESS = "cf-connecting-ip";

export default {
  fetch(request: Request, env: FrontEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isWorkers = env.WORKER_FIRST.some((pattern) => matches(pattern, pathname));
    return isWorkers ? env.EDGEBOARD.fetch(withAddress(request)) : env.PAGE.fetch(request);
  },
};

/** A star stands for anything, slashes too, as it does on the platform. */
function matches(pattern: string, pathname: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(pathname);
}

/**
 * A proxy on this machine says who asked it. Of everybody else the connection is believed and not the header: a
 * caller that names an address of its own would have a limit of its own.
 */
function withAddress(request: Request): Request {
  const peer = peerOf(request as Request<unknown, { clientIp?: string }>);
  if (peer === null || isThisMachine(peer)) return request;
  const named = new Request(request);
  named.headers.set(ADDRESS, peer);
  return named;
}

/** The other end of the connection, which the runtime names with its port: `192.0.2.7:443`, `[2001:db8::7]:443`. */
function peerOf(request: Request<unknown, { clientIp?: string }>): string | null {
  return /^\[?(.+?)\]?:\d+$/.exec(request.cf?.clientIp ?? "")?.[1] ?? null;
}

function isThisMachine(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}
