import { Page } from "../shell/page.tsx";

export default function RunsPage() {
  return <Page title="Runs">…</Page>;
}
