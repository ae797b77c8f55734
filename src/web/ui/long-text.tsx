/** Words of agents, as they wrote them: text, never markup; a long one is shown by its beginning until asked for. */
import { useState } from "react";
import { beginningOf } from "./clamp.ts";
import { count } from "./format.ts";
import { piecesOf } from "./links.ts";
import "./long-text.css";

interface LongTextProps {
  text: string;
  /** Shown before one asks for all of it. */
  chars?: number;
  lines?: number;
  mono?: boolean;
}

export function LongText({ text, chars, lines, mono = false }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const beginning = beginningOf(text, chars, lines);
  const shown = whole || beginning === null ? text : `${beginning} …`;
  return (
    <div className="long-text">
      <div className={mono ? "foreign words mono" : "foreign words"} dir="auto">
        {piecesOf(shown).map((piece, index) =>
          typeof piece === "string" ? (
            piece
          ) : (
            <a key={index} href={piece.href} rel="noopener noreferrer" target="_blank">
              {piece.href}
            </a>
          ),
        )}
      </div>
      {beginning !== null && (
        <button type="button" className="more" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show all ${count([...text].length)} characters`}
        </button>
      )}
    </div>
  );
}
