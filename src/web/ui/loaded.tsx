/** Draws what was read, once it is there; says so while it is not, and when it could not be read anew. */
import type { ReactNode } from "react";
import type { Resource } from "../room/resource.ts";
import { Fault } from "./fault.tsx";
import { errorText } from "./problem.ts";

export function Loaded<T>({
  resource,
  children,
}: {
  resource: Resource<T>;
  children: (value: T) => ReactNode;
}) {
  const { value, error, stale, reload } = resource;
  if (value === null)
    return error === null ? (
      <p className="waiting soft" role="status">
        Loading …
      </p>
    ) : (
      <Fault text={errorText(error)} onRetry={reload} />
    );
  return (
    <>
      {stale && (
        <div className="notice" data-tone="warn" role="status">
          <span>This is what was known last. {errorText(error)}</span>
          <button type="button" className="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {children(value)}
    </>
  );
}
