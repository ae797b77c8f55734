import assert from "node:assert/strict";
import { test } from "node:test";
import { call, newBoard, ok, refused, URL_TESTED } from "./board.ts";

test("health, the reader and the description of the interface need no token", async () => {
  for (const path of ["/healthz", "/docs", "/api/v1/openapi.json"]) {
    const response = await fetch(URL_TESTED + path);
    assert.equal(response.status, 200, path);
    await response.body?.cancel();
  }
});

test("a refusal is a problem: type, title, status, code, detail, and whether to come again", async () => {
  const board = await newBoard();
  const reply = await call(board.lead, "GET", `${board.path}/tasks/n9`, undefined, { "x-request-id": "r-1" });
  const problem = refused(reply, "404 task_not_found");
  assert.deepEqual([problem.status, problem.requestId, problem.retryable], [404, "r-1", false]);
  for (const member of ["type", "title", "detail"]) assert.match(problem[member], /\w/);
  assert.equal(reply.headers.get("x-request-id"), "r-1");
  assert.equal(reply.headers.get("retry-after"), null);
  assert.equal(reply.headers.get("cache-control"), "no-store");
});

test("wrong paths, methods and types are told as that", async () => {
  const board = await newBoard();
  refused(await board.ask("GET", "/nothing"), "404 route_not_found");
  const wrong = await board.ask("PUT", "/tasks", {});
  refused(wrong, "405 method_not_allowed");
  assert.deepEqual(wrong.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
  const typed = await call(board.lead, "POST", `${board.path}/tasks`, "title=x", {
    "content-type": "text/plain",
  });
  assert.deepEqual(refused(typed, "415 unsupported_media_type").accepts, ["application/json"]);
});

test("unknown members and parameters are errors, and each is named", async () => {
  const board = await newBoard();
  const body = await board.ask("POST", "/tasks", { title: "", surprise: 1, labels: [7] });
  const { issues } = refused(body, "400 invalid_request");
  const paths = issues.map(({ path }: { path: string }) => path).toSorted();
  assert.deepEqual(paths, ["labels.0", "surprise", "title"]);
  const query = refused(await board.ask("GET", "/tasks?surprise=1"), "400 invalid_request");
  assert.equal(query.issues[0].path, "surprise");
  refused(await board.ask("POST", "/tasks", "{"), "400 invalid_request");
});

test("a request that was refused has changed nothing", async () => {
  const board = await newBoard();
  const worker = await board.mint("builder");
  const { id } = await board.add({ title: "x" });
  const standing = async () =>
    `${(await board.ask("GET", "/export")).text}${ok(await board.ask("GET", "")).seq}`;
  const before = await standing();
  const path = `${board.path}/tasks/${id}`;
  refused(await call(worker, "DELETE", path), "403 forbidden");
  refused(await board.ask("PATCH", `/tasks/${id}`, { title: "y", parentTaskId: id }), "409 parent_cycle");
  refused(
    await board.ask("POST", "/tasks", { title: "y", dependsOn: ["n1", "n99"] }),
    "422 dependency_not_found",
  );
  refused(
    await call(worker, "POST", `${path}/complete`, { outcome: "succeeded", status: "done" }),
    "409 lease_required",
  );
  assert.equal(await standing(), before);
});
