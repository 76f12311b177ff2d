/** How the HTML report looks: one sheet within the page, light and dark, also on paper. */

export const style = `
:root { color-scheme: light dark; --ink: #1d2327; --soft: #5d6770; --line: #d9dee3; --paper: #fff; --panel: #f5f7f9;
  --pass: #1a7f4b; --fail: #c4262e; --warn: #9a6400; --open: #8a94a0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9da7b1; --line: #333b43; --paper: #14181b; --panel: #1c2226;
  --pass: #4cc38a; --fail: #ff6b70; --warn: #e2a63b; --open: #6b7681; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
a { color: inherit; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.state { font-size: 1.2rem; font-weight: 600; margin: .75rem 0 .5rem; }
.pass { color: var(--pass); } .fail, .broken { color: var(--fail); }
.warning { color: var(--warn); }
.untested, .skipped, .no-verdict { color: var(--open); }
.bar { display: flex; height: 10px; border-radius: 5px; overflow: hidden; background: var(--panel); }
.bar span { background: currentColor; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; width: 6rem; }
td.zero { color: var(--line); }
tbody tr:hover { background: var(--panel); }
article { color: var(--ink); border: 1px solid var(--line); border-left: 4px solid var(--fail); border-radius: 6px; padding: .8rem 1rem; margin: .8rem 0; }
article.warning { border-left-color: var(--warn); } article.note { border-left-color: var(--open); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .6rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
details { margin: .4rem 0; } summary { cursor: pointer; }
details > table { margin-top: .4rem; } td.id { width: 24rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
@media print { body { max-width: none; padding: 0; } article { break-inside: avoid; } }
`;
