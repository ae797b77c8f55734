/** Search through the interface: what is found, what is not, and in what order it comes. */
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, OPERATOR, ok, refused, type TestBoard } from "../support/api.ts";

const search = (board: TestBoard, q: string, more = "") =>
  call(board.lead, "GET", `${board.path}/tasks?q=${encodeURIComponent(q)}${more}`);

/** The numbers found on the first page, which has to be the only one. */
async function found(board: TestBoard, q: string, more = ""): Promise<number[]> {
  const page = ok(await search(board, q, more));
  expect([q, page.hasMore, page.nextCursor]).toEqual([q, false, null]);
  return page.tasks.map((task: Task) => task.number);
}

async function plan(board: TestBoard, tasks: object[]): Promise<{ id: string; number: number }[]> {
  const refs = tasks.map((task, index) => ({ ref: `r${index}`, title: `t${index}`, ...task }));
  return ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks: refs }), 201).tasks;
}

const comment = async (board: TestBoard, id: string, body: string) =>
  ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/comments`, { body }), 201);

const edit = async (board: TestBoard, id: string, body: object) =>
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body));

/** What people and programs write, odd to a query language. */
const ODD = [
  ..."POL-358 don't a/b \" * NEAR( title: -x AND OR NOT NEAR(a,2) task_search text:lease ^lease lea*".split(
    " ",
  ),
  ..."{title}:x +1 \"unclosed un\"closed 'quoted' \\ % _ $1 $& $\u007bx} --- <script> ;drop (( )) [] ,".split(
    " ",
  ),
];

describe("any text is a text", () => {
  it("each term of odd characters finds exactly the tasks that hold it", async () => {
    const board = await newBoard();
    const titles = [...ODD.map((odd) => `before ${odd} glued${odd}glued`), "plain lease"];
    await plan(
      board,
      titles.map((title) => ({ title })),
    );
    for (const odd of ODD) {
      const wanted = titles.flatMap((title, index) =>
        title.toLowerCase().includes(odd.toLowerCase()) ? [index + 1] : [],
      );
      expect([odd, await found(board, odd, "&order=oldest&limit=200")]).toEqual([odd, wanted]);
      expect(wanted.length).toBeGreaterThanOrEqual(1);
    }
  });

  it("of no terms lets everything through", async () => {
    const board = await newBoard();
    await plan(board, [{}, {}]);
    for (const q of ["", " ", "\u3000\n\t"]) expect(await found(board, q)).toEqual([2, 1]);
  });

  it("of more than a thousand characters is refused, of a thousand not", async () => {
    const board = await newBoard();
    await board.add({ title: "x", description: "🚀".repeat(2_000) });
    for (const q of ["x".repeat(10_240), "x".repeat(1_001), "🚀".repeat(1_001), "a ".repeat(600)]) {
      const { issues } = refused(await search(board, q), 400, "invalid_request");
      expect(issues).toEqual([{ path: "q", message: expect.stringMatching(/1000/) }]);
    }
    expect(await found(board, "🚀".repeat(1_000))).toEqual([1]);
    expect(await found(board, "x".repeat(1_000))).toEqual([]);
    expect(
      await found(
        board,
        Array.from({ length: 333 }, (_, i) => String.fromCodePoint(0x4e00 + i, 0x5e00 + i)).join(" "),
      ),
    ).toEqual([]);
  });

  it("that no task can hold, or that comes twice, is refused", async () => {
    const board = await newBoard();
    const path = `${board.path}/tasks`;
    for (const query of ["?q=a%00b", "?q=a&q=b"])
      expect(
        refused(await call(board.lead, "GET", path + query), 400, "invalid_request").issues[0].path,
      ).toBe("q");
  });
});

describe("a term", () => {
  it("is found in title, description and comments, each term in any of them", async () => {
    const board = await newBoard();
    const [one, two] = await plan(board, [
      { title: "Sweep silent holders", description: "by the alarm" },
      { title: "Alarm", description: "nothing else" },
    ]);
    await comment(board, one?.id ?? "", "they wake up too late");
    await comment(board, two?.id ?? "", "never too late");
    for (const [q, numbers] of [
      ["silent", [1]],
      ["alarm", [2, 1]],
      ["late", [2, 1]],
      ["SILENT late", [1]],
      ["alarm late sweep", [1]],
      ["alarm late", [2, 1]],
      ["alarm never", [2]],
      ["alarm never silent", []],
      ["silent lat", [1]],
      ["up by", [1]],
      ["holders by the", [1]],
    ] as [string, number[]][])
      expect([q, await found(board, q)]).toEqual([q, numbers]);
  });

  it("does not reach from one text into the next, nor across white space", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "lea", description: "se" });
    await comment(board, task.id, "tok");
    await comment(board, task.id, "en");
    for (const q of ["lease", "token", "setok"]) expect(await found(board, q)).toEqual([]);
    expect(await found(board, "lea se tok en")).toEqual([1]);
  });

  it("is found inside words, in any case, of any script", async () => {
    const board = await newBoard();
    const texts = [
      "Überprüfung der Größe",
      "任务看板：并发认领的修复",
      "データベースの接続を確認する",
      "Проверка АРЕНДЫ",
      "astronaut 👩‍🚀 and family 👨‍👩‍👧‍👦 fly 🇩🇪",
      "في انتظار المراجعة",
      "caf\u00e9 composed",
      "cafe\u0301 decomposed",
      "150 µs, İstanbul, ΟΔΟΣ, 𝒳𝒴",
    ];
    await plan(
      board,
      texts.map((title) => ({ title })),
    );
    for (const [q, numbers] of [
      ["überPRÜFUNG", [1]],
      ["ü", [1]],
      ["Ü", [1]],
      ["öß", [1]],
      ["看", [2]],
      ["认领", [2]],
      ["修复", [2]],
      ["复", [2]],
      ["看板：并发", [2]],
      ["データ", [3]],
      ["接続", [3]],
      ["аренды", [4]],
      ["ка", [4]],
      ["👩‍🚀", [5]],
      ["🚀", [5]],
      ["👨‍👩‍👧‍👦", [5]],
      ["🇩🇪", [5]],
      ["🇪", [5]],
      ["المراجعة", [6]],
      ["caf\u00e9", [7]],
      ["\u00e9", [7]],
      ["cafe\u0301", [8]],
      ["e\u0301", [8]],
      ["cafe", [8]],
      ["µs", [9]],
      ["µ", [9]],
      ["İ", [9]],
      ["İsta", [9]],
      ["οδος", [9]],
      ["δοσ", [9]],
      ["σ", [9]],
      ["𝒳𝒴", [9]],
      ["猫", []],
    ] as [string, number[]][])
      expect([q, await found(board, q, "&order=oldest")]).toEqual([q, numbers]);
  });
});

describe("what changes", () => {
  it("is found by its new words at once, and no longer by its old ones", async () => {
    const board = await newBoard();
    const { id } = await board.add({ title: "rename the heron", description: "old stork" });
    expect([await found(board, "heron"), await found(board, "on")]).toEqual([[1], [1]]);
    await edit(board, id, { title: "rename the egret" });
    expect([await found(board, "heron"), await found(board, "egret"), await found(board, "stork")]).toEqual([
      [],
      [1],
      [1],
    ]);
    await edit(board, id, { description: "new swan 鶴" });
    expect([await found(board, "stork"), await found(board, "egret swan"), await found(board, "鶴")]).toEqual(
      [[], [1], [1]],
    );
    await edit(board, id, { priority: 3, labels: ["x"] });
    expect(await found(board, "egret swan")).toEqual([1]);
    await comment(board, id, "said the ibis");
    expect(await found(board, "ibis egret")).toEqual([1]);
  });

  it("is found whatever its status; when it is dropped, only where dropped tasks are asked for", async () => {
    const board = await newBoard();
    const [one, two] = await plan(board, [{ title: "heron one" }, { title: "heron two" }]);
    await edit(board, one?.id ?? "", { status: "cancelled" });
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${two?.id}`));
    expect(await found(board, "heron")).toEqual([1]);
    expect(await found(board, "on")).toEqual([1]);
    expect(await found(board, "heron", "&includeDropped=true")).toEqual([2, 1]);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${two?.id}/restore`, {}));
    expect(await found(board, "heron")).toEqual([2, 1]);
  });

  it("when a board is deleted and made again, finds nothing of the old one and everything of the new", async () => {
    const board = await newBoard();
    await board.add({ title: "old heron" });
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    const { token } = ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "Again" }), 201);
    const again = { ...board, lead: token };
    expect(await found(again, "heron")).toEqual([]);
    ok(await call(token, "POST", `${board.path}/tasks`, { title: "new egret" }), 201);
    expect([await found(again, "egret"), await found(again, "et"), await found(again, "heron")]).toEqual([
      [1],
      [1],
      [],
    ]);
  });
});
