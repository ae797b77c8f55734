/** Where a server is, as far as its address tells. */

/** This very machine: nobody listens on the way, and what runs here can be reached from there. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

export const isSecure = (url: string): boolean => new URL(url).protocol === "https:";
