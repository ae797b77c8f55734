/** Where events may be sent: to a public name, over TLS. */

/** Names that no public server has, by their last labels. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "lan",
  "home",
  "corp",
  "home.arpa",
];

/**
 * What is wrong with a webhook's URL, or null. An address is refused whichever it is, so that no way of writing
 * a private one can slip through.
 * `anywhere`: for development, also over plain HTTP, and also to this machine and its network.
 */
export function urlFault(text: string, anywhere: boolean): string | null {
  const url = URL.parse(text);
  if (url === null) return "must be a URL";
  if (url.protocol !== "https:" && !(anywhere && url.protocol === "http:")) return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not hold credentials";
  if (url.hash !== "") return "must not have a fragment";
  return anywhere ? null : hostFault(url.hostname.replace(/\.$/, ""));
}

/** The parser has made one form of each address: dotted decimal, or hexadecimal in brackets. */
function hostFault(host: string): string | null {
  if (host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host)) return "must name a host, not an address";
  if (!host.includes(".")) return "must name a public host";
  const isPrivate = PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return isPrivate ? "must name a public host" : null;
}
