/**
 * How secrets look that agents come across: a row for each family. None of these patterns scans further than it takes
 * or than a bound it names, so a text is looked through in time that grows with its length, whatever is in it.
 */

export interface KeyShape {
  /** What stands in the place of the secret. */
  name: string;
  /** What goes before and stays is the group `kept`. */
  pattern: RegExp;
}

/** A key that is known by its own first characters. */
function key(name: string, source: string): KeyShape {
  return { name, pattern: new RegExp(`(?<kept>)(?<![A-Za-z0-9])(?:${source})`, "g") };
}

/** A value that is known by what stands before it. */
function after(name: string, kept: string, value: string, flags = "g"): KeyShape {
  return { name, pattern: new RegExp(`(?<kept>${kept})${value}`, flags) };
}

/** Not a value but where one comes from: `$TOKEN`, `<token>`, `{{token}}`, `%TOKEN%`, `***`; or one that is masked. */
const NO_PLACEHOLDER = "(?![$<{%*\\[])(?!(?:true|false|null|none|undefined)\\b)";
const UNQUOTED = `${NO_PLACEHOLDER}[^\\s"'\`;&|()<>{}\\[\\],\\\\]{4,}`;
const QUOTED = `${NO_PLACEHOLDER}[^"'\\\\\\n]{4,}`;
const HAS_DIGIT = "(?=[^\\s\"'&]{0,60}\\d)";

const SHOUTED =
  "(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|(?:ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|AUTH)_KEY)";
const NAMED =
  "(?:token|secret|password|passwd|passphrase|api[_-]?key|(?:access|secret|private|signing|encryption)[_-]?key)";

/** Of an access key's 40 characters: with letters of both cases and a digit, or it is a digest. */
const AWS_SECRET =
  "(?<![A-Za-z0-9/+=])(?=[^A-Z]{0,39}[A-Z])(?=[^a-z]{0,39}[a-z])(?=\\D{0,39}\\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])";

/** In this order: what is known for certain before what is guessed by its surroundings. */
export const KEY_SHAPES: readonly KeyShape[] = [
  // Next to its id, which is masked after it.
  key("aws secret", `${AWS_SECRET}(?<=A(?:KIA|SIA)[A-Z0-9]{16}[^]{1,80}?.{40})`),
  key("aws key id", "A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
  key("github token", "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}"),
  key(
    "gitlab token",
    "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\\w-]{20,}(?:\\.[a-z0-9]{2}\\.?[a-z0-9]{7,9})?",
  ),
  key("anthropic key", "sk-ant-[\\w-]{16,}"),
  key("openai key", "sk-(?:proj|svcacct|admin)-[\\w-]{16,}|sk-(?:or-v1-)?[A-Za-z0-9]{20,}"),
  key("slack token", "xox[a-z](?:\\.xox[a-z])?-[\\w-]{10,}|xapp-\\d-[\\w-]{10,}"),
  key("slack webhook", "hooks\\.slack\\.com/(?:services|workflows)/[\\w/]{20,}"),
  key("google key", "AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}"),
  key("stripe key", "[srp]k_(?:live|test)_[A-Za-z0-9]{16,}"),
  key("webhook secret", "whsec_[A-Za-z0-9+/]{20,}={0,2}"),
  key("npm token", "npm_[A-Za-z0-9]{30,}"),
  key("pypi token", "pypi-(?:AgE[\\w-]{16,}|\\w{40,})"),
  key("hugging face token", "hf_[A-Za-z0-9]{20,}"),
  key("cloudflare token", "cf(?:k|ut|at)_[A-Za-z0-9]{40,}|v1\\.0-[0-9a-f]{24}-[0-9a-f]{60,}"),
  key(
    "service token",
    "(?:gsk|r8|tvly|lin_api|sbp|shpat|dop_v1|glsa|dckr_pat)_[\\w-]{20,}|xai-\\w{20,}|SG\\.[\\w-]{16,40}\\.[\\w-]{16,}",
  ),
  // Board tokens and lease tokens are of this shape. A run of such characters is begun at its start only.
  key("signed token", "(?<!-|_)eyJ[\\w-]{8,}\\.eyJ[\\w-]{2,}\\.[\\w-]*"),
  after(
    "password",
    "[a-z][a-z0-9+.-]{1,20}://[^\\s/:@\"'<>\\[\\]]{0,200}:",
    `(?![$<{%*])[^\\s/@"'<>\\[\\]]{1,200}(?=@)`,
    "gi",
  ),
  after(
    "authorization",
    "authorization\\\\{0,3}[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\{0,3}[\"']?(?:bearer|basic|token)[ \\t]{1,4}",
    `${NO_PLACEHOLDER}(?=[^\\s"']{0,60}[\\dA-Z+/=])[^\\s"'\`,;\\\\\\[\\]]{8,}`,
    "gi",
  ),
  after("authorization", "\\bbearer[ \\t]{1,4}", `${HAS_DIGIT}[\\w.~+/-]{16,}={0,2}`, "gi"),
  after(
    "secret",
    `(?:x-[a-z-]{0,30}(?:key|token|secret)|private-token|client-secret)["']?:[ \\t]{0,4}`,
    UNQUOTED,
    "gi",
  ),
  after("secret", `aws_secret_access_key[ \\t]{0,4}[=:][ \\t]{0,4}`, UNQUOTED, "gi"),
  after("secret", `${SHOUTED}=`, UNQUOTED),
  after("secret", `_${SHOUTED}:[ \\t]{1,4}`, UNQUOTED),
  after("secret", `${NAMED}[ \\t]{0,4}=[ \\t]{0,4}\\\\{0,3}["']`, QUOTED, "gi"),
  after("secret", `${NAMED}\\\\{0,3}["'][ \\t]{0,4}:[ \\t]{0,4}\\\\{0,3}["']`, QUOTED, "gi"),
  after("secret", `_${SHOUTED}:[ \\t]{0,4}["']`, QUOTED),
  after("secret", `${NAMED}=`, `${HAS_DIGIT}${UNQUOTED}`, "gi"),
  after("secret", `--[a-z-]{0,40}${NAMED}(?:=|[ \\t]{1,4})["']?`, `(?!-)${UNQUOTED}`, "gi"),
];
