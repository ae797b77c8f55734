import { Page } from "../shell/page.tsx";

export default function StuckPage() {
  return <Page title="Stuck">…</Page>;
}
