/** All keys of all pages, in one place. */
import { Dialog } from "../ui/dialog.tsx";

type Keys = readonly (readonly [string, string])[];

const COMMAND = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ K" : "Ctrl K";

const PAGES: readonly (readonly [string, Keys])[] = [
  [
    "Everywhere",
    [
      [COMMAND, "Go to, move, filter"],
      ["?", "These keys"],
      ["Esc", "Close what lies over the page"],
    ],
  ],
  [
    "Board",
    [
      ["↑ ↓ ← →", "From card to card"],
      ["Enter", "Open the task"],
      ["M", "Move it to another status"],
      ["/", "Filter"],
      ["C", "Create a task"],
    ],
  ],
  [
    "Graph",
    [
      ["← →", "To what it waits for, to what waits for it"],
      ["↑ ↓", "To its neighbours"],
      ["Enter", "Open the task"],
      ["+ − 0", "Nearer, further, all of it"],
    ],
  ],
  [
    "Runs",
    [
      ["J K", "Next run, previous run"],
      ["Enter", "Open the task"],
      ["P", "Open its parent"],
      ["+ −", "Nearer, further"],
    ],
  ],
];

export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} className="keys">
      <div className="keys-pages">
        {PAGES.map(([page, keys]) => (
          <section key={page}>
            <h3>{page}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>
                    {key.split(" ").map((each) => (
                      <kbd key={each}>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
