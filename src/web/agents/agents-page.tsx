import { Page } from "../shell/page.tsx";

export default function AgentsPage() {
  return <Page title="Agents">…</Page>;
}
