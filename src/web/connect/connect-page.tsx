import { Page } from "../shell/page.tsx";

export default function ConnectPage() {
  return <Page title="Connect">…</Page>;
}
