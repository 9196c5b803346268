/** The look of the issuer's pages, in the colours of the console. Light or dark as the system is. */
export const STYLE = `:root {
  color-scheme: light dark;
  --canvas: #f6f5f2; --surface: #ffffff; --sunken: #faf9f7; --line: #e8e5df; --field-line: #918c82;
  --ink: #1b1a17; --ink-2: #55514a; --ink-3: #706b62;
  --accent: #0b6478; --accent-hover: #084e5e; --on-accent: #ffffff; --accent-soft: #e3f0f3;
  --bad-ink: #a8231b; --bad-soft: #fcecea; --bad-line: #f0c5c0;
  --wait-ink: #855000; --wait-soft: #fdf3e0; --wait-line: #efd7a6;
  --shadow: 0 1px 2px #1b1a170f, 0 4px 12px #1b1a1714;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #121211; --surface: #191918; --sunken: #151514; --line: #2a2927; --field-line: #75716a;
    --ink: #f1efea; --ink-2: #b8b4ab; --ink-3: #98948b;
    --accent: #5cbfd3; --accent-hover: #7fd0e0; --on-accent: #04262e; --accent-soft: #12303a;
    --bad-ink: #ff9d94; --bad-soft: #331916; --bad-line: #5c2a25;
    --wait-ink: #f0bd62; --wait-soft: #2d2310; --wait-line: #54411a;
    --shadow: 0 1px 2px #0006, 0 6px 16px #0006;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 48px 16px; background: var(--canvas); color: var(--ink-2);
  font: 400 15px/22px ui-sans-serif, system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Inter, Roboto, "Noto Sans", sans-serif;
}
main { max-width: 440px; margin: 0 auto; padding: 32px; background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); }
.host { display: flex; align-items: center; gap: 8px; margin: 0 0 20px; color: var(--ink-3); font-size: 13px; font-weight: 500; overflow-wrap: anywhere; }
.mark { width: 10px; height: 10px; border-radius: 3px; background: var(--accent); flex: none; }
h1 { margin: 0 0 8px; color: var(--ink); font-size: 20px; line-height: 28px; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; color: var(--ink); font-size: 13px; line-height: 20px; font-weight: 600; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
strong { color: var(--ink); font-weight: 600; }
label { display: block; margin: 16px 0 6px; color: var(--ink); font-size: 13px; font-weight: 500; }
input[type="text"], input[type="password"] {
  width: 100%; height: 44px; padding: 0 12px; font: inherit; color: var(--ink); background: var(--surface);
  border: 1px solid var(--field-line); border-radius: 6px;
}
.hint { margin: 6px 0 0; color: var(--ink-3); font-size: 13px; line-height: 18px; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 24px; }
button {
  min-height: 44px; padding: 0 20px; font: inherit; font-weight: 500; color: var(--on-accent); background: var(--accent);
  border: 1px solid transparent; border-radius: 6px; cursor: pointer;
}
button:hover { background: var(--accent-hover); }
button.quiet { color: var(--ink); background: transparent; border-color: var(--field-line); }
button.quiet:hover { background: var(--sunken); }
button.link { padding: 0 4px; color: var(--accent); background: transparent; }
button.link:hover { background: transparent; text-decoration: underline; }
button[disabled] { opacity: .6; cursor: default; }
.wide { width: 100%; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { margin: 16px 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
.bad { color: var(--bad-ink); background: var(--bad-soft); border-color: var(--bad-line); }
.wait { color: var(--wait-ink); background: var(--wait-soft); border-color: var(--wait-line); }
.facts { margin: 16px 0 0; padding: 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--sunken); display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 13px; line-height: 20px; }
.facts dt { color: var(--ink-3); }
.facts dd { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
.scopes { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.scopes > li { padding: 10px 12px; border-top: 1px solid var(--line); }
.scopes > li:first-child { border-top: 0; }
.scopes b { display: block; color: var(--ink); font-weight: 500; }
details { font-size: 13px; color: var(--ink-3); }
summary { cursor: pointer; }
form + .hint, #passkey + .hint { margin-top: 16px; }
details ul { margin: 6px 0 2px; padding-left: 18px; }
code { font: 12px/18px ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.or { display: flex; align-items: center; gap: 12px; margin: 20px 0 0; color: var(--ink-3); font-size: 13px; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
[hidden] { display: none; }
@media (max-width: 480px) { body { padding: 16px 8px; } main { padding: 24px 20px; } .actions button { flex: 1; } .actions .link { flex-basis: 100%; } }
`
