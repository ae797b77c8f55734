/** What to paste where, for each client: one tab each. */
import { useId, useRef, useState } from "react";
import type { ConnectBlock } from "../../contract/connect.ts";
import { TOKEN_VARIABLE } from "../../contract/connect.ts";
import { CopyButton } from "../ui/copy.tsx";
import { blocksOf, readsVariable, WAY_NAMES, WAYS, type Way } from "./blocks.ts";

export function Ways() {
  const [way, setWay] = useState<Way>("claude-code");
  const ids = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const next = WAYS[(WAYS.indexOf(way) + by + WAYS.length) % WAYS.length] as Way;
    setWay(next);
    list.current?.querySelector<HTMLElement>(`[data-way="${next}"]`)?.focus();
  };
  return (
    <section className="panel" aria-labelledby="ways">
      <header>
        <h2 id="ways">Tell the agent of this board</h2>
      </header>
      <div
        ref={list}
        className="connect-tabs"
        role="tablist"
        aria-label="Client"
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") step(1);
          if (event.key === "ArrowLeft") step(-1);
        }}
      >
        {WAYS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${ids}-${each}`}
            data-way={each}
            aria-selected={each === way}
            aria-controls={`${ids}-panel`}
            tabIndex={each === way ? 0 : -1}
            onClick={() => setWay(each)}
          >
            {WAY_NAMES[each]}
          </button>
        ))}
      </div>
      <div
        className="body connect-blocks"
        id={`${ids}-panel`}
        role="tabpanel"
        aria-labelledby={`${ids}-${way}`}
      >
        {readsVariable(way) ? (
          <p className="soft">
            It finds the token in the variable <code>{TOKEN_VARIABLE}</code>.
          </p>
        ) : (
          <p className="soft">It asks for the token once, and keeps it.</p>
        )}
        {blocksOf(way, location.origin).map((block, index) => (
          <Block key={block.place} block={block} other={index > 0} />
        ))}
      </div>
    </section>
  );
}

function Block({ block, other }: { block: ConnectBlock; other: boolean }) {
  const { place, text, language } = block;
  const where = place === "command line" ? "On the command line" : `In ${place}`;
  const name = other ? `Or ${where.toLowerCase()}` : where;
  return (
    <div>
      <div className="connect-block">
        <h3>{name}</h3>
        <CopyButton text={text} />
      </div>
      <pre className="connect-code" data-language={language}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
