/** Takes secrets out of a text, and leaves word of what stood there. Masking what is masked changes nothing. */
import { KEY_SHAPES } from "./key-shapes.ts";
import { maskPrivateKeys } from "./private-keys.ts";

export function mask(text: string): string {
  return KEY_SHAPES.reduce(
    (masked, { name, pattern }) => masked.replace(pattern, `$<kept>${marker(name)}`),
    maskPrivateKeys(text, marker("private key")),
  );
}

/** Its brackets and blanks are in none of the shapes. */
function marker(name: string): string {
  return `[masked: ${name}]`;
}
