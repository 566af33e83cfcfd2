// The start of the pages.
import { render } from "preact";
import { httpSource } from "./api/http-source.ts";
import { connectLive } from "./api/live-connection.ts";
import { reconnect, setConnect } from "./api/live.ts";
import { setSource } from "./api/source.ts";
import { App } from "./app.tsx";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/components.css";

setSource(httpSource);
setConnect(connectLive);
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
reconnect();
