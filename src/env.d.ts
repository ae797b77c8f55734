/** The schema files are imported as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

interface Env {
  /** The signing key before the present one, while it is being rotated out. */
  EDGEBOARD_SIGNING_KEY_PREVIOUS?: string;
}
