/** Where the page begins. */
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";

applyTheme();
const place = document.getElementById("app");
if (place !== null) createRoot(place).render(<App />);
