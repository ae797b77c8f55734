import type { Me } from "../../contract/answers.ts";

export default function HomePage({ me }: { me: Me }) {
  return <main className="page">{me.agentId}</main>;
}
