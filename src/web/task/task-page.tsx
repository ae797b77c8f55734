import { Page } from "../shell/page.tsx";

export default function TaskPage({ name }: { name: string }) {
  return <Page title={name}>…</Page>;
}
