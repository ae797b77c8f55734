/** The schema files are imported as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

interface Env {
  /** The signing key before the present one, while it is being rotated out. */
  EDGEBOARD_SIGNING_KEY_PREVIOUS?: string;
  /** "true", for development: webhooks may be sent without TLS, and to this machine and its network. */
  EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS?: string;
}
