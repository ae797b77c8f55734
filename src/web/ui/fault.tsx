/** Something did not work, and what can be done. */
export function Fault({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <span>{text}</span>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
