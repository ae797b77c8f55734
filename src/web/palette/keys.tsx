export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      …
    </button>
  );
}
