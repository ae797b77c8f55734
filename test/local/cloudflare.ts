/** As much of the vendor's interface as an upload asks for, on this machine: it keeps what it was sent. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface Binding {
  name: string;
  type: string;
  text?: string;
  namespace_id?: string;
}

export interface Metadata {
  bindings: Binding[];
  exports: Record<string, unknown>;
}

export interface Cloudflare {
  /** For whoever uploads there. */
  variables: Record<string, string>;
  /** What came with each Worker, in its order. */
  uploads: { worker: string; metadata: Metadata }[];
  close: () => void;
}

export async function cloudflare(): Promise<Cloudflare> {
  const uploads: Cloudflare["uploads"] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace(/^\/client\/v4/, "").replace(/\?.*$/, "");
    const body = await textOf(request);
    const worker = /\/(?:scripts|services|workers)\/([^/]+)/.exec(path.replace("/workers/", "/"))?.[1] ?? "";
    if (request.method === "PUT" && path.endsWith(`/scripts/${worker}`))
      uploads.push({ worker, metadata: metadataOf(body) });
    const known = uploads.find((upload) => upload.worker === worker);
    const absent = request.method === "GET" && worker !== "" && known === undefined;
    response.statusCode = absent ? 404 : 200;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        success: !absent,
        errors: absent ? [{ code: 10007, message: "This Worker does not exist on your account." }] : [],
        messages: [],
        result: absent ? null : answer(path, known?.metadata),
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    variables: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: "nobody's",
      CLOUDFLARE_ACCOUNT_ID: "account",
    },
    uploads,
    close: () => server.close(),
  };
}

function answer(path: string, metadata: Metadata | undefined): unknown {
  if (path.endsWith("/secrets"))
    return metadata?.bindings
      .filter(({ type }) => type === "secret_text")
      .map(({ name, type }) => ({ name, type }));
  if (path.endsWith("/assets-upload-session")) return { jwt: "everything-is-there", buckets: [] };
  if (path.endsWith("/workers/subdomain")) return { subdomain: "team" };
  const subdomain = { enabled: true, previews_enabled: false };
  const standing = { default_environment: { script: { last_deployed_from: "wrangler" } }, deployments: [] };
  return { id: "w", ...standing, ...subdomain, subdomain, deployment_id: "d", startup_time_ms: 1 };
}

/** It is the first field of the form. */
function metadataOf(form: string): Metadata {
  const [, value] = /name="metadata"\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--/s.exec(form) ?? [];
  return JSON.parse(value ?? "null");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
