/** A part of the page that is fetched when somebody comes to it. */
import { type ComponentType, lazy } from "react";
import { Fault } from "../ui/fault.tsx";

/** After a deploy the file of an older page is gone, and without a network there is none: both say what to do. */
export function later<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: Missing as unknown as ComponentType<Props> })));
}

function Missing() {
  return (
    <main className="page">
      <Fault
        text="This part of the page could not be fetched: the network is away, or a newer version is there."
        onRetry={() => location.reload()}
      />
    </main>
  );
}
