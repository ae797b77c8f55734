/** The schema files are imported as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

interface Env {
  /** The signing key before the present one, while it is being rotated out. */
  EDGEBOARD_SIGNING_KEY_PREVIOUS?: string;
  /** Cloudflare Access for people: its team, such as acme.cloudflareaccess.com, and the audience of the application. */
  EDGEBOARD_ACCESS_TEAM?: string;
  EDGEBOARD_ACCESS_AUD?: string;
  /** Who of them leads every board: addresses and @domains, with commas between. All others may look. */
  EDGEBOARD_ACCESS_LEADS?: string;
  /** A board takes in nothing new from this size on; not given: 9 GB. */
  EDGEBOARD_BOARD_MAX_BYTES?: string;
  /** "true", for development: webhooks may be sent without TLS, and to this machine and its network. */
  EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS?: string;
}
