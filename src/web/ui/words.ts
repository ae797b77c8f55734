/** Reads words that stand in one field with commas in between: each once, in their order. */
export function readWords(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ""))];
}
