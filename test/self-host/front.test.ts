/** What stands before the Worker on a machine of one's own: who is asked, and what is told of the caller. */
import { expect, it } from "vitest";
import front from "../../src/self-host/front.ts";

interface Asked {
  by: "worker" | "page";
  address: string | null;
}

/** Who is asked for a path; `peer` is the other end of the connection, `header` what it says of itself. */
async function asked(path: string, peer?: string, header?: string): Promise<Asked> {
  const service = (by: string) =>
    ({
      fetch: async (request: Request) =>
        Response.json({ by, address: request.headers.get("cf-connecting-ip") }),
    }) as unknown as Fetcher;
  const headers: HeadersInit = header === undefined ? {} : { "cf-connecting-ip": header };
  const request = new Request(`http://edgeboard.test${path}`, { headers });
  if (peer !== undefined) Object.defineProperty(request, "cf", { value: { clientIp: peer } });
  const answer = await front.fetch(request, {
    EDGEBOARD: service("worker"),
    PAGE: service("page"),
    WORKER_FIRST: ["/api/*", "/healthz", "/boards/*/mcp", "/.well-known/*"],
  });
  return answer.json();
}

it("the Worker has the paths it is to be asked for first, and the page has the rest", async () => {
  for (const path of ["/api/v1/boards", "/api/", "/healthz?x=1", "/boards/a/mcp", "/.well-known/a"])
    expect((await asked(path)).by, path).toBe("worker");
  for (const path of ["/", "/b/demo", "/api", "/healthz/x", "/boards/a", "/x/api/v1", "/xwell-known/a"])
    expect((await asked(path)).by, path).toBe("page");
});

it("a caller from elsewhere has the address it has, whatever it says", async () => {
  expect((await asked("/api/v1/me", "192.0.2.7:47982")).address).toBe("192.0.2.7");
  expect((await asked("/api/v1/me", "192.0.2.7:47982", "198.51.100.1")).address).toBe("192.0.2.7");
  expect((await asked("/api/v1/me", "[2001:db8::1]:47982", "198.51.100.1")).address).toBe("2001:db8::1");
});

it("a proxy on this machine is believed", async () => {
  for (const peer of ["127.0.0.1:33076", "[::1]:33076", "[::ffff:127.0.0.1]:33076"])
    expect((await asked("/api/v1/me", peer, "198.51.100.1")).address).toBe("198.51.100.1");
  expect((await asked("/api/v1/me", "127.0.0.1:33076")).address).toBeNull();
});
