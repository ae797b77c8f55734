export default function TaskDrawer({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      {name}
    </button>
  );
}
