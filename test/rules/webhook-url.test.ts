import { describe, expect, it } from "vitest";
import { urlFault } from "../../src/rules/webhook-url.ts";

const PUBLIC = [
  "https://example.com",
  "https://example.com/hook?token=a%20b",
  "https://hooks.example.co.uk:8443/a/b",
  "https://EXAMPLE.com./x",
  "https://bücher.example/hook",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://1.2.3.4.example.com/",
];

const ADDRESSES = [
  "127.0.0.1",
  "127.1",
  "127.0.0.1.",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "0",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "100.64.0.1",
  "①②⑦.0.0.1",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "93.184.216.34",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "[2606:2800:220:1:248:1893:25c8:1946]",
];

const PRIVATE_NAMES = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ⓛocalhost",
  "printer.local",
  "metadata.google.internal",
  "metadata.google.internal.",
  "db.internal",
  "router.lan",
  "nas.home.arpa",
  "intranet",
  "edgeboard",
  "wiki.corp",
  "host.localdomain",
];

describe("in a deployment", () => {
  it.each(PUBLIC)("%s is taken", (url) => {
    expect(urlFault(url, false)).toBeNull();
  });

  it.each(ADDRESSES)("the address %s is refused", (host) => {
    expect(urlFault(`https://${host}/hook`, false)).toBe("must name a host, not an address");
    expect(urlFault(`https://${host}:8443/hook`, false)).toBe("must name a host, not an address");
  });

  it.each(PRIVATE_NAMES)("the name %s is refused", (host) => {
    expect(urlFault(`https://${host}/hook`, false)).toBe("must name a public host");
  });

  it.each([
    "http://example.com",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:,x",
    "ws://example.com",
  ])("%s is not sent over TLS", (url) => {
    expect(urlFault(url, false)).toBe("must begin with https://");
  });
});

it.each(["", "example.com", "/hook", "https://", "https://[::1", "https://a b.example", "https://1.2.3.4.5"])(
  "%j is no URL, for nobody",
  (text) => {
    expect([urlFault(text, false), urlFault(text, true)]).toEqual(["must be a URL", "must be a URL"]);
  },
);

it("credentials and fragments are refused everywhere", () => {
  for (const anywhere of [false, true]) {
    expect(urlFault("https://me:secret@example.com", anywhere)).toBe("must not hold credentials");
    expect(urlFault("https://me@example.com", anywhere)).toBe("must not hold credentials");
    expect(urlFault("https://example.com/#part", anywhere)).toBe("must not have a fragment");
  }
});

it("for development this machine will do, also without TLS, and still nothing but HTTP", () => {
  for (const url of [
    "http://localhost:9000/hook",
    "http://127.0.0.1:9000",
    "https://[::1]/",
    "http://nas.lan",
  ])
    expect(urlFault(url, true)).toBeNull();
  expect(urlFault("ftp://localhost/", true)).toBe("must begin with https://");
});
