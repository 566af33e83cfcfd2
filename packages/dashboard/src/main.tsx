// The start of the pages.
import { render } from "preact";
import { reconnect } from "./api/live.ts";
import { App } from "./app.tsx";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/components.css";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
reconnect();
