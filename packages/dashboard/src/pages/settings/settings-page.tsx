// Settings of this browser, tokens and workers of the hub, and what the hub says about itself.
import { token, setToken } from "../../api/token.ts";
import { Button } from "../../components/button.tsx";
import { setTheme, theme, THEMES } from "../../state/theme.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { texts } from "../../texts.ts";
import { AboutHub } from "./about-hub.tsx";
import { Tokens } from "./tokens.tsx";
import { Workers } from "./workers.tsx";
import "./settings.css";

export function SettingsPage() {
  usePageTitle(texts.settings.title);
  return (
    <div class="settings">
      <div class="page-head">
        <h1>{texts.settings.title}</h1>
      </div>
      <section>
        <h2>{texts.settings.theme}</h2>
        <div class="filter-row">
          {THEMES.map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={theme.value === name}
              onClick={() => setTheme(name)}
            >
              {texts.settings.themes[name]}
            </button>
          ))}
        </div>
      </section>
      <section>
        <h2>{texts.settings.session}</h2>
        <p>{token.value === undefined ? texts.settings.noToken : texts.settings.hasToken}</p>
        {token.value !== undefined && (
          <Button onPress={() => setToken(undefined)}>{texts.settings.forget}</Button>
        )}
      </section>
      <Tokens />
      <Workers />
      <AboutHub />
    </div>
  );
}
