/** The schema files are imported as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

interface Env {
  /**
   * The signing key before the present one, while it is being rotated out. A runtime of one's own says null where it
   * is not set, which is no key: as a text it would be one that everybody knows.
   */
  EDGEBOARD_SIGNING_KEY_PREVIOUS?: string | null;
  /** Cloudflare Access for people: its team, such as acme.cloudflareaccess.com, and the audience of the application. */
  EDGEBOARD_ACCESS_TEAM?: string | null;
  EDGEBOARD_ACCESS_AUD?: string | null;
  /** Who of them leads every board: addresses and @domains, with commas between. All others may look. */
  EDGEBOARD_ACCESS_LEADS?: string | null;
  /** A board takes in nothing new from this size on; not given: 9 GB. */
  EDGEBOARD_BOARD_MAX_BYTES?: string;
  /** "true", for development: webhooks may be sent without TLS, and to this machine and its network. */
  EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS?: string;
}
