import { Page } from "../shell/page.tsx";

export default function ActivityPage() {
  return <Page title="Activity">…</Page>;
}
