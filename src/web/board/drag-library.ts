/** What dragging is made of: a chunk of its own, which comes after the first cards are drawn. */

export {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
export { autoScrollForElements } from "@atlaskit/pragmatic-drag-and-drop-auto-scroll/element";
