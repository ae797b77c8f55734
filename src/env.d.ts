/** The schema files are imported as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

interface Env {
  /** Where archives go; a server may be without. */
  ARCHIVE?: R2Bucket;
  /** The signing key before the present one, while it is being rotated out. */
  EDGEBOARD_SIGNING_KEY_PREVIOUS?: string;
  /** A board takes in nothing new from this size on; not given: 9 GB. */
  EDGEBOARD_BOARD_MAX_BYTES?: string;
  /** "true", for development: webhooks may be sent without TLS, and to this machine and its network. */
  EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS?: string;
}
