/** Pages of other sites, in a browser that is signed in here. */
import { type Attack, bearer, type Ground, tried, unless } from "./attack.ts";

/** Signs in as the lead; the cookie as a browser sends it along. */
async function signedIn({ deployment, own }: Ground): Promise<{ cookie: string; set: string }> {
  const { headers } = await tried(deployment, "POST", "/session", {}, { token: own.tokens.lead });
  const set = headers["set-cookie"] ?? "";
  return { cookie: set.split(";")[0] ?? "", set };
}

/** Not among them: our own under another scheme, which the local server's proxy rewrites before we see it. */
const foreignOrigins = (url: string): [string, Record<string, string>][] => [
  ["another site", { origin: "https://evil.example" }],
  ["no origin", {}],
  ["null", { origin: "null" }],
  ["an empty one", { origin: "" }],
  ["another port", { origin: url.replace(/:\d+$/, ":1") }],
  ["ours as a part of theirs", { origin: `${url}.evil.example` }],
  ["ours as a user of theirs", { origin: `${url}@evil.example` }],
  ["ours with a path", { origin: `${url}/` }],
  ["only a referer", { referer: `${url}/` }],
];

export const BROWSERS: Attack[] = [
  {
    name: "a cookie writes from our own pages only, and is kept from scripts and other sites",
    act: async (ground) => {
      const { deployment, own } = ground;
      const { cookie, set } = await signedIn(ground);
      const write = (headers: Record<string, string>) =>
        tried(
          deployment,
          "POST",
          `/boards/${own.board}/tasks`,
          { cookie, ...headers },
          { title: "by a browser" },
        );
      const faults = unless("our own page", await write({ origin: deployment.url }), "201");
      for (const [what, headers] of foreignOrigins(deployment.url))
        faults.push(...unless(what, await write(headers), "403 forbidden"));
      for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/"])
        if (!set.includes(attribute)) faults.push(`the cookie lacks ${attribute}`);
      if (own.tokens.lead !== null && set.includes(own.tokens.lead)) faults.push("the cookie is the token");
      return faults;
    },
  },
  {
    name: "a cookie opens a socket from our own pages only",
    act: async (ground) => {
      const { deployment, own } = ground;
      const { cookie } = await signedIn(ground);
      const upgrade = {
        ...{ connection: "Upgrade", upgrade: "websocket", cookie },
        ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
      };
      const open = (headers: Record<string, string>) =>
        tried(deployment, "GET", `/boards/${own.board}/live`, { ...upgrade, ...headers });
      const faults = unless("our own page", await open({ origin: deployment.url }), "101");
      for (const [what, headers] of foreignOrigins(deployment.url))
        faults.push(...unless(what, await open(headers), "403 forbidden"));
      return faults;
    },
  },
  {
    name: "a cookie that was changed signs nobody in",
    act: async (ground) => {
      const { deployment, own } = ground;
      const { cookie } = await signedIn(ground);
      const read = (changed: string) => tried(deployment, "GET", `/boards/${own.board}`, { cookie: changed });
      return [
        ...unless("as it was", await read(cookie), "200"),
        ...unless("shortened", await read(cookie.slice(0, -1)), "401 unauthenticated"),
        ...unless("empty", await read("edgeboard="), "401 unauthenticated"),
        ...unless("a board token", await read(`edgeboard=${own.tokens.lead}`), "401 unauthenticated"),
        ...unless("under TLS's name", await read(`__Host-${cookie}`), "401 unauthenticated"),
      ];
    },
  },
  {
    name: "MCP is not for pages of other sites, not even with a token",
    act: async ({ deployment, own }) => {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      const faults: string[] = [];
      for (const [what, headers] of foreignOrigins(deployment.url).filter(([, { origin }]) =>
        Boolean(origin),
      ))
        faults.push(
          ...unless(
            what,
            await tried(deployment, "POST", "", { ...bearer(own.tokens.worker), ...headers }, call, {
              target: "/mcp",
            }),
            "403 forbidden",
          ),
        );
      return faults;
    },
  },
  {
    name: "no answer invites other sites to read it",
    act: async ({ deployment, own }) => {
      const headers = { ...bearer(own.tokens.lead), origin: "https://evil.example" };
      const faults: string[] = [];
      for (const method of ["GET", "OPTIONS"]) {
        const answer = await tried(deployment, method, `/boards/${own.board}`, headers);
        if (Object.keys(answer.headers).some((name) => name.startsWith("access-control-")))
          faults.push(`${method} answers with ${Object.keys(answer.headers).join(", ")}`);
      }
      return faults;
    },
  },
];
