import { Page } from "../shell/page.tsx";

export function BoardPage() {
  return <Page title="Board">…</Page>;
}
