import { expect, it } from "vitest";
import { curl } from "../fuzz/report.ts";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";

it("a request is told as a line for a shell, without its tokens, wherever they stand", () => {
  const line = curl(
    "http://127.0.0.1:1",
    {
      method: "POST",
      target: `/api/v1/session?t=${TOKEN}`,
      headers: { host: "127.0.0.1:1", authorization: `Bearer ${TOKEN}` },
      body: Buffer.from(`{"token":"the-operator's","it's":"\u0000${TOKEN}"}`),
    },
    ["the-operator's"],
  );
  expect(line).toBe(
    "curl -sS --path-as-is -X POST -H $'authorization: Bearer $TOKEN' " +
      `--data-binary $'{"token":"$SECRET","it\\'s":"\\u0000$TOKEN"}' $'http://127.0.0.1:1/api/v1/session?t=$TOKEN'`,
  );
});
