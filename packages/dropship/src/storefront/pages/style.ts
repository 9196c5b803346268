/** The shop's style sheet: light and dark, narrow and wide, screen and print. */
import { createHash } from 'node:crypto'

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1e211f; --quiet: #5b625d; --line: #e2dfd6; --accent: #1f5c46; --on-accent: #ffffff;
  --accent-deep: #174636; --wash: #eef3ef; --warn: #8f2d16; --warn-wash: #fbeee9; --note: #f6efd9; --note-ink: #4d3d08;
  --radius: 14px; --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, ui-serif, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Open Sans', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151816; --card: #1d211e; --ink: #ecefe9; --quiet: #a6aea8; --line: #323833; --accent: #8fd0b2; --on-accent: #10231a;
    --accent-deep: #b3e2cb; --wash: #222a25; --warn: #ffb4a1; --warn-wash: #3a211b; --note: #38311a; --note-ink: #f3e3b0;
  }
  .tile img, .gallery img, .lines img { filter: brightness(0.9); }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 1.0625rem/1.6 var(--sans); display: flex; flex-direction: column; min-height: 100vh; }
.wide { width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); }
main { flex: 1; padding-block: clamp(1.5rem, 4vw, 2.75rem) 4rem; }
main:focus { outline: none; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.8rem, 1.3rem + 2vw, 2.6rem); margin: 0 0 0.6rem; }
h2 { font-size: 1.4rem; margin: 0 0 0.8rem; }
h3 { font-size: 1.1rem; margin: 1.4rem 0 0.4rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-deep); text-decoration-thickness: 2px; }
img { display: block; max-width: 100%; height: auto; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--accent); color: var(--on-accent); padding: 0.6rem 1rem; border-radius: 8px; z-index: 2; }
.skip:focus { top: 0.6rem; color: var(--on-accent); }
.quiet { color: var(--quiet); }
.small { font-size: 0.9rem; margin: 0; }
button, .button { font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); padding: 0.6rem 1.2rem; border-radius: 999px; text-decoration: none; display: inline-block; }
button:hover, .button:hover { background: var(--accent-deep); border-color: var(--accent-deep); color: var(--on-accent); }
button.plain, .search button, .pieces button { background: transparent; color: var(--accent); border-color: var(--line); }
button.plain:hover, .search button:hover, .pieces button:hover { background: var(--wash); color: var(--accent-deep); }
input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid #8a918b; border-radius: 10px; padding: 0.6rem 0.8rem; width: 100%; min-height: 2.9rem; }
.badge { display: inline-block; font-size: 0.8rem; font-weight: 600; padding: 0.1rem 0.6rem; border-radius: 999px; background: var(--note); color: var(--note-ink); }
.badge-strong { background: var(--accent); color: var(--on-accent); font-size: 0.95rem; padding: 0.2rem 0.9rem; }
.notice { background: var(--note); color: var(--note-ink); border-radius: var(--radius); padding: 1rem 1.2rem; }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top > div { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1.5rem; padding-block: 0.9rem; }
.name { font: 600 1.35rem/1.2 var(--serif); color: var(--ink); text-decoration: none; }
.search { display: flex; gap: 0.5rem; flex: 1 1 14rem; max-width: 30rem; margin-left: auto; }
.search input { border-radius: 999px; min-height: 2.6rem; padding-block: 0.4rem; }
.search button { padding: 0.3rem 1rem; }
.to-cart { font-weight: 600; text-decoration: none; padding: 0.4rem 0; }
.count { display: inline-block; min-width: 1.5em; text-align: center; border-radius: 999px; background: var(--accent); color: var(--on-accent); font-size: 0.85rem; padding: 0 0.4em; }
.kinds ul { list-style: none; margin: 0; padding: 0 0 0.7rem; display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; font-size: 0.95rem; }
.kinds a { display: inline-block; color: var(--quiet); text-decoration: none; padding: 0.25rem 0; border-bottom: 2px solid transparent; }
.kinds a:hover, .kinds a[aria-current] { color: var(--ink); border-color: var(--accent); }

.list-head { margin-bottom: 1.6rem; }
.list-head p { margin: 0; }
.tiles { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14.5rem), 1fr)); gap: 2rem 1.5rem; }
.tile { position: relative; }
.tile a { color: inherit; text-decoration: none; display: block; }
.tile img { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: var(--radius); background: var(--wash); margin-bottom: 0.8rem; transition: transform 160ms ease, box-shadow 160ms ease; }
.tile a:hover img { transform: translateY(-3px); box-shadow: 0 10px 26px rgb(0 0 0 / 14%); }
.tile-title { font-weight: 600; line-height: 1.35; display: block; overflow-wrap: anywhere; }
.tile a:hover .tile-title { text-decoration: underline; }
.tile-price { margin: 0.15rem 0 0; }
.leaf { display: flex; gap: 1.5rem; align-items: center; justify-content: center; margin-top: 3rem; }

.way ol { list-style: none; margin: 0 0 1.4rem; padding: 0; display: flex; flex-wrap: wrap; font-size: 0.92rem; color: var(--quiet); overflow-wrap: anywhere; }
.way li + li::before { content: '/'; padding-inline: 0.6rem; color: var(--quiet); }
.way a { color: var(--quiet); }
.product { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: clamp(1.5rem, 4vw, 3.5rem); align-items: start; }
.gallery { display: grid; gap: 1rem; }
.gallery img { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: calc(var(--radius) * 1.4); background: var(--wash); }
.gallery img + img { max-width: 48%; }
.niche { display: block; font-family: var(--sans); margin-top: 0.5rem; text-transform: uppercase; letter-spacing: 0.09em; font-size: 0.8rem; font-weight: 600; color: var(--quiet); margin-bottom: 0.5rem; }
.stars { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.6rem; color: var(--quiet); font-size: 0.95rem; margin-bottom: 0.7rem; }
.price { font: 600 1.7rem/1.2 var(--serif); margin-bottom: 1rem; }
.lead { font-size: 1.12rem; }
.stock { display: flex; gap: 0.6rem; align-items: baseline; font-weight: 600; }
.stock::before { content: ''; flex: none; width: 0.65rem; height: 0.65rem; border-radius: 50%; background: #3f9b70; }
.stock.later::before { background: #c58f1d; }
.stock.paused::before { background: #a6aea8; }
.buy { display: flex; gap: 0.8rem; align-items: end; flex-wrap: wrap; padding-block: 0.4rem 1.6rem; margin-bottom: 1.6rem; border-bottom: 1px solid var(--line); }
.buy label { display: block; font-size: 0.9rem; font-weight: 600; margin-bottom: 0.25rem; }
.buy input { width: 5.5rem; }
.buy button { min-height: 2.9rem; padding-inline: 2rem; }
.facts { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: 0; margin: 0 0 1.4rem; }
.facts dt, .facts dd { padding: 0.5rem 0; border-bottom: 1px solid var(--line); margin: 0; overflow-wrap: anywhere; }
.facts dt { color: var(--quiet); padding-right: 1.2rem; }
.bare .product { display: block; }
.bare .product img { width: 100%; max-width: 34rem; border-radius: calc(var(--radius) * 1.4); }
.bare .product .price { display: none; }
.bare .product ul { padding-left: 1.2rem; }
.bare .buy { border: 0; margin: 0; padding-bottom: 0.8rem; }
.related { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 2rem; }

.lines { list-style: none; margin: 0 0 2rem; padding: 0; }
.lines li { display: grid; grid-template-columns: 96px minmax(0, 1fr) auto 6.5rem; gap: 1.2rem; align-items: center; padding-block: 1.1rem; border-bottom: 1px solid var(--line); }
.lines img { border-radius: 10px; }
.line-words a { font-weight: 600; color: var(--ink); overflow-wrap: anywhere; }
.pieces { display: flex; gap: 0.5rem; }
.pieces input { width: 4.6rem; }
.pieces button { padding: 0.3rem 0.9rem; font-weight: 500; }
.line-total { text-align: right; margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.total { text-align: right; }
.total strong { font: 600 1.6rem/1.2 var(--serif); margin-left: 0.6rem; }
.total .button { margin-top: 1rem; }

.steps { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; padding: 0; margin: 0 0 2rem; counter-reset: step; color: var(--quiet); }
.steps li { counter-increment: step; }
.steps li::before { content: counter(step); display: inline-grid; place-items: center; width: 1.7em; height: 1.7em; margin-right: 0.5em; border-radius: 50%; border: 1px solid currentcolor; font-size: 0.85rem; }
.steps li[aria-current], .steps .done { color: var(--accent); font-weight: 600; }
.steps li[aria-current]::before, .steps .done::before { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.halves form > button + button { margin-left: 0.6rem; }
.halves + p { margin-top: 1.6rem; }
.halves { display: grid; grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr); gap: clamp(1.5rem, 4vw, 3.5rem); align-items: start; }
.fields { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 1.1rem; }
.field { grid-column: span 6; }
.field-postal_code { grid-column: span 2; }
.field-city { grid-column: span 4; }
.field label { display: block; font-weight: 600; font-size: 0.95rem; margin-bottom: 0.3rem; }
.field [aria-invalid] { border: 2px solid var(--warn); }
.fields .button { grid-column: span 6; justify-self: start; margin-top: 0.4rem; }
.problem { color: var(--warn); font-size: 0.92rem; margin: 0.35rem 0 0; font-weight: 500; }
.problems { background: var(--warn-wash); color: var(--warn); border-radius: var(--radius); padding: 1.1rem 1.3rem; margin-bottom: 1.8rem; }
.problems h2 { font-size: 1.15rem; margin-bottom: 0.4rem; }
.problems ul { margin: 0; padding-left: 1.2rem; }
.problems a { color: inherit; }
.sum { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.4rem 1.5rem; overflow-wrap: anywhere; }
.sum h2 { font-size: 1.2rem; }
.sum ul { list-style: none; margin: 0; padding: 0; }
.sum li, .sum-total { display: flex; justify-content: space-between; gap: 1rem; padding-block: 0.5rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.sum li span:last-child, .sum-total strong { white-space: nowrap; }
.sum-total { border: 0; margin: 0.4rem 0 0; }
.sum dl { margin: 0; }
.sum dt { color: var(--quiet); font-size: 0.92rem; }
.sum dd { margin: 0 0 0.8rem; }
address { font-style: normal; }
.status { display: flex; flex-wrap: wrap; gap: 0.8rem; align-items: center; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.65rem 0.8rem 0.65rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-size: 0.92rem; color: var(--quiet); font-weight: 600; }
.number { text-align: right; white-space: nowrap; padding-right: 0; padding-left: 0.8rem; }
tfoot td { font-weight: 700; }
.message { max-width: 38rem; margin: 8vh auto; text-align: center; }
.prose { max-width: 42rem; }
.prose section { margin-top: 2rem; }
.bottom { border-top: 1px solid var(--line); background: var(--card); color: var(--quiet); font-size: 0.92rem; padding-block: 1.8rem; }
.bottom .wide { display: flex; flex-wrap: wrap; gap: 0.6rem 2rem; justify-content: space-between; }
.bottom p { margin: 0; max-width: 44rem; }
.bottom ul { list-style: none; margin: 0; padding: 0; display: flex; gap: 1.4rem; }
.bottom a { color: var(--quiet); }

@media (max-width: 46rem) {
  .product, .halves { grid-template-columns: minmax(0, 1fr); }
  .search { order: 3; flex-basis: 100%; max-width: none; }
  .to-cart { margin-left: auto; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5rem 1rem; }
  .lines li { grid-template-columns: 72px minmax(0, 1fr) auto; }
  .pieces { grid-column: 1 / -1; grid-row: 2; }
  .halves .sum { grid-row: 1; }
}
@media (prefers-reduced-motion: reduce) { .tile img { transition: none; } }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --quiet: #333; --accent: #000; }
  .top, .bottom, .buy, .related, .skip, .way, .steps, .pieces { display: none; }
  body { font-size: 11pt; }
  .product { grid-template-columns: 5cm 1fr; }
  .badge, .notice { border: 1px solid #000; }
}
`.trimStart()

export const STYLE_VERSION = createHash('sha256').update(STYLE).digest('base64url').slice(0, 10)
