import { app } from "./http/app.ts";

export { Board } from "./board/board.ts";
export { Directory } from "./directory/directory.ts";
export default app;
