/** Where a card stands in its column, and how it is taken up. */
import { memo, useRef } from "react";
import { CardView } from "./card-view.tsx";
import { useCardDrag } from "./drag.ts";

interface CardRowProps {
  id: string;
  start: number;
  position: number;
  size: number;
  tabStop: boolean;
  onMenu: (id: string) => void;
}

export const CardRow = memo(function CardRow({ id, start, position, size, tabStop, onMenu }: CardRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useCardDrag(row, id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the list
    <div
      ref={row}
      className="card-row"
      role="listitem"
      aria-posinset={position}
      aria-setsize={size}
      style={{ transform: `translateY(${start}px)` }}
    >
      <CardView id={id} tabStop={tabStop} onMenu={onMenu} />
    </div>
  );
});
