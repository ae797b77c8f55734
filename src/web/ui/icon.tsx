/** The few signs that stand beside words, drawn in one stroke on a square of 16. */
const PATHS = {
  board: "M2.5 3h3v10h-3zM6.5 3h3v7h-3zM10.5 3h3v4h-3z",
  graph:
    "M5 4h1.5a2 2 0 0 1 2 2v4a2 2 0 0 0 2 2H11M5 4a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zm9 8a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zm0-8a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM5 4h6",
  runs: "M2 4h6M5 8h7M8 12h6",
  agents: "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zM2.5 14c.5-2.75 2.75-4 5.5-4s5 1.25 5.5 4",
  stuck: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3",
  activity: "M2 8h3l2-5 2.5 10L11.5 8H14",
  connect: "M6 2.5v3m4-3v3M4.5 5.5h7V8a3.5 3.5 0 0 1-7 0zM8 11.5V14",
  home: "M2.5 7.5 8 3l5.5 4.5V13.5h-11zM6.5 13.5v-4h3v4",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14",
  close: "m4 4 8 8m0-8-8 8",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  link: "M6.5 9.5a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6l-.9.9M9.5 6.5a2.5 2.5 0 0 0-3.6 0L3.5 8.9a2.5 2.5 0 0 0 3.6 3.6l.9-.9",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.3",
  note: "M2.5 3.5h11v7.5h-6L4.5 13.5V11h-2z",
  theme: "M8 13.5a5.5 5.5 0 1 0 0-11zM8 2.5v11a5.5 5.5 0 0 1 0-11z",
  out: "M9.5 2.5H3v11h6.5M6.5 8H14m-2.5-2.5L14 8l-2.5 2.5",
  plus: "M8 3v10M3 8h10",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  back: "M10 3 5 8l5 5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
