import { Page } from "../shell/page.tsx";

export default function GraphPage() {
  return <Page title="Graph">…</Page>;
}
