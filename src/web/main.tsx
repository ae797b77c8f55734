/** Where the page begins. */
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
// Small ones of parts that are fetched later: one sheet weighs less than three.
import "./palette/palette.css";
import "./session/sign-in.css";

applyTheme();
const place = document.getElementById("app");
if (place !== null) createRoot(place).render(<App />);
