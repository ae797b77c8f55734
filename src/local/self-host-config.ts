/**
 * The configuration of a runtime of one's own, as the text it reads: the Worker as it is deployed, and small workers in
 * the place of what the network has around it.
 */
import type { HeaderRule } from "./page-headers.ts";
import type { Configuration } from "./wrangler.ts";

/** What a machine may set beside the secrets. */
const OPTIONAL = [
  "EDGEBOARD_SIGNING_KEY_PREVIOUS",
  "EDGEBOARD_BOARD_MAX_BYTES",
  "EDGEBOARD_ACCESS_TEAM",
  "EDGEBOARD_ACCESS_AUD",
  "EDGEBOARD_ACCESS_LEADS",
  "EDGEBOARD_ACCESS_TEAM",
  "EDGEBOARD_ACCESS_AUD",
  "EDGEBOARD_ACCESS_LEADS",
];

/** Everything is named by where it lies beside the configuration. `modules` are the Worker's, the entry first. */
export function selfHostConfig(
  configuration: Configuration,
  modules: string[],
  headerRules: HeaderRule[],
): string {
  const { compatibility_date: date, assets, durable_objects, ratelimits, secrets } = configuration;
  const objects = durable_objects.bindings;
  return `# Written by npm run build:self-host. start.sh says where the boards are and where it listens.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "front", worker = .front),
    (name = "page", worker = .page),
    (name = "edgeboard", worker = .edgeboard),
    (name = "rate-limit", worker = .rateLimit),
    (name = "page-files", disk = (path = "web")),
    (name = "boards", disk = (path = "boards", writable = true)),
    # Webhooks reach what everybody reaches, and nothing of this machine or its network.
    (name = "internet", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
  ],
  # A proxy that speaks TLS says so, and with that where the browser's cookies may go.
  sockets = [(
    name = "http", address = "127.0.0.1:8787", service = "front",
    http = (forwardedProtoHeader = "X-Forwarded-Proto"),
  )],
);

const front :Workerd.Worker = (
  compatibilityDate = ${text(date)},
  modules = [(name = "front.js", esModule = embed "front.js")],
  bindings = [
    (name = "EDGEBOARD", service = "edgeboard"),
    (name = "PAGE", service = "page"),
    (name = "WORKER_FIRST", json = ${json(assets.run_worker_first)}),
  ],
);

const page :Workerd.Worker = (
  compatibilityDate = ${text(date)},
  modules = [(name = "page.js", esModule = embed "page.js")],
  bindings = [
    (name = "FILES", service = "page-files"),
    (name = "HEADER_RULES", json = ${json(headerRules)}),
  ],
);

const rateLimit :Workerd.Worker = (
  compatibilityDate = ${text(date)},
  modules = [(name = "rate-limit.js", esModule = embed "rate-limit.js")],
);

const edgeboard :Workerd.Worker = (
  compatibilityDate = ${text(date)},
  modules = [
${modules.map((name) => `    (name = ${text(name)}, ${name.endsWith(".js") ? "esModule" : "text"} = embed ${text(`worker/${name}`)}),`).join("\n")}
  ],
  # The key names the folder of the boards: another one would begin with none.
  durableObjectNamespaces = [
${objects.map(({ class_name: name }) => `    (className = ${text(name)}, uniqueKey = ${text(`edgeboard-${name}`)}, enableSql = true),`).join("\n")}
  ],
  durableObjectStorage = (localDisk = "boards"),
  bindings = [
${objects.map(({ name, class_name }) => `    (name = ${text(name)}, durableObjectNamespace = ${text(class_name)}),`).join("\n")}
    (name = ${text(assets.binding)}, service = "page"),
${ratelimits.map(({ name, simple }) => `    (name = ${text(name)}, service = (name = "rate-limit", entrypoint = "RateLimit", props = (json = ${json({ name, ...simple })}))),`).join("\n")}
${[...secrets.required, ...OPTIONAL].map((name) => `    (name = ${text(name)}, fromEnvironment = ${text(name)}),`).join("\n")}
  ],
);
`;
}

/** The runtime's language escapes as JSON does, as far as what stands here goes. */
function text(value: string): string {
  return JSON.stringify(value);
}

function json(value: unknown): string {
  return text(JSON.stringify(value));
}
