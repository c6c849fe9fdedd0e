// The one stylesheet of the pages: colours, type and components, light, dark and printed.

/** Served as it is. The contrast of each pair of colours is at least 4.5 : 1 for text and 3 : 1 for controls. */
export const stylesheet = `
:root { color-scheme: light dark;
  --page: #fff; --sunk: #f6f7f9; --raise: #fff; --line: #e3e6ea; --edge: #868f9b; --ink: #161b22; --ink2: #545e6b; --focus: #1b5fcc;
  --ok: #1a6f45; --ok-ground: #e6f3ec; --ok-fill: #288556; --warn: #7d4e00; --warn-ground: #fdf3dc; --warn-fill: #b87b0a;
  --bad: #a8231c; --bad-ground: #fcebe9; --bad-fill: #cf3b32; --live: #1653b5; --live-ground: #e8f0fd; --live-fill: #2f6fdb;
  --mute: #d8dde3; --button: #161b22; --on-button: #fff; }
@media (prefers-color-scheme: dark) { :root {
  --page: #101317; --sunk: #171b21; --raise: #1b2027; --line: #2a3038; --edge: #76808d; --ink: #e9ecf0; --ink2: #a2acb8; --focus: #7fb0ff;
  --ok: #74d3a0; --ok-ground: #14291f; --ok-fill: #3da873; --warn: #ecc06a; --warn-ground: #2d230e; --warn-fill: #d39a2a;
  --bad: #ff9d94; --bad-ground: #351a19; --bad-fill: #e2594f; --live: #93bcff; --live-ground: #16243c; --live-fill: #4d8bf0;
  --mute: #3a424d; --button: #e9ecf0; --on-button: #101317; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
a { color: inherit; text-underline-offset: 3px; text-decoration-color: var(--edge); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 5px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 8px; padding: 8px 12px; background: var(--raise); }
.wide { max-width: 1184px; margin: 0 auto; padding: 0 32px; }
header { border-bottom: 1px solid var(--line); font-size: 14px; }
header .wide { display: flex; flex-wrap: wrap; gap: 4px 28px; align-items: center; min-height: 56px; }
header nav { display: flex; flex-wrap: wrap; gap: 4px; } header nav a { padding: 6px 10px; border-radius: 6px; text-decoration: none; color: var(--ink2); }
header nav a[aria-current] { background: var(--sunk); color: var(--ink); font-weight: 600; }
header .who { margin-left: auto; text-align: right; font-size: 13px; line-height: 1.35; color: var(--ink2); } header .who b { color: var(--ink); }
header .who form { display: inline; } .sandbox { color: var(--live); }
main.wide { padding-top: 28px; padding-bottom: 64px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; font-weight: 650; } h1 .pill { vertical-align: 5px; margin-left: 8px; }
h2 { margin: 44px 0 12px; font-size: 18px; font-weight: 620; line-height: 1.3; } .decide h2, section:first-child > h2 { margin-top: 0; }
p { margin: 4px 0 12px; max-width: 62ch; } .lead { color: var(--ink2); margin-bottom: 28px; } .quiet { color: var(--ink2); } .small { font-size: 13px; }
thead th { overflow-wrap: normal; } .columns + #progress, .columns + .progress { margin-top: 44px; } .columns { display: grid; grid-template-columns: minmax(0, 1fr) 372px; gap: 28px 48px; align-items: start; }
.decide { position: sticky; top: 20px; padding: 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--raise); }
.box { border: 1px solid var(--line); border-radius: 10px; }
.waits { display: grid; grid-template-columns: 90px minmax(0, 1fr) auto; gap: 4px 12px; padding: 16px 20px; align-items: start; }
.waits + .waits { border-top: 1px solid var(--line); } .waits p { margin: 0; color: var(--ink2); font-size: 13px; } .waits h2 { margin: 0; font-size: 15px; }
.button, button { display: inline-block; align-content: center; min-height: 36px; padding: 7px 14px; border: 1px solid var(--edge); border-radius: 6px; background: var(--raise); color: var(--ink);
  font: inherit; font-size: 14px; font-weight: 600; text-decoration: none; text-align: center; cursor: pointer; }
.button:hover, button:hover { border-color: var(--ink); } button:active { background: var(--sunk); }
.main { background: var(--button); border-color: var(--button); color: var(--on-button); min-height: 44px; width: 100%; }
.waits .dark, .dark { background: var(--button); border-color: var(--button); color: var(--on-button); } .danger { border-color: var(--bad-fill); color: var(--bad); }
.plain { min-height: 0; padding: 0; border: 0; background: none; font-size: inherit; font-weight: 400; text-decoration: underline; color: inherit; }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
label { font-weight: 600; } .option { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 2px 10px; padding: 14px 0; border-bottom: 1px solid var(--line); cursor: pointer; }
.option input { width: 18px; height: 18px; margin: 2px 0 0; accent-color: var(--ink); } .option span { grid-column: 2; font-weight: 400; font-size: 13px; color: var(--ink2); }
input[type=file], input[type=text], input[type=email], input[type=password], input[type=search], select { width: 100%; min-height: 36px; padding: 6px 10px; border: 1px solid var(--edge); border-radius: 6px;
  background: var(--raise); color: var(--ink); font: inherit; font-size: 14px; }
.short { width: 7em !important; text-align: right; } [aria-invalid=true] { border: 2px solid var(--bad-fill) !important; } .wrong { color: var(--bad); font-size: 13px; margin: 4px 0; }
[role=search].row { margin-bottom: 16px; } [role=search].row input { flex: 1; width: auto; min-width: 0; } .tools { margin-bottom: 16px; } .tools [role=search].row { margin: 0; } fieldset { border: 0; padding: 0; margin: 0; min-width: 0; } .field { margin: 16px 0; max-width: 480px; } .field label { font-size: 13px; } .field .small { margin: 2px 0 6px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; } caption { text-align: left; font-size: 13px; color: var(--ink2); padding-bottom: 6px; }
thead th { padding: 6px 16px 6px 0; border-bottom: 1px solid var(--edge); text-align: left; font-size: 12.5px; font-weight: 500; color: var(--ink2); }
tbody td, tbody th { padding: 9px 16px 9px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
tbody th b { display: block; } th.n, td.n { text-align: right; white-space: nowrap; } tbody th .small { color: var(--ink2); }
.scroll { overflow-x: auto; } .whole { white-space: nowrap; }
.pill { display: inline-block; padding: 1px 8px; border-radius: 5px; font-size: 12.5px; font-weight: 600; line-height: 1.5; white-space: nowrap; background: var(--sunk); color: var(--ink2); border: 1px solid var(--line); }
.pill.ok { background: var(--ok-ground); color: var(--ok); border-color: transparent; } .pill.warn { background: var(--warn-ground); color: var(--warn); border-color: transparent; }
.pill.bad { background: var(--bad-ground); color: var(--bad); border-color: transparent; } .pill.live { background: var(--live-ground); color: var(--live); border-color: transparent; }
.filters { display: flex; flex-wrap: wrap; gap: 4px; margin: 0 0 16px; } .filters a { padding: 5px 10px; border-radius: 6px; text-decoration: none; font-size: 14px; color: var(--ink2); }
.filters a[aria-current] { background: var(--sunk); color: var(--ink); font-weight: 600; }
.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); border: solid var(--line); border-width: 1px 0; margin: 12px 0; }
.stats div { padding: 12px 20px 12px 0; } .stats div + div { padding-left: 20px; border-left: 1px solid var(--line); } .stats b { display: block; font-size: 26px; line-height: 1.2; font-weight: 620; } .stats span { font-size: 13px; color: var(--ink2); }
.bar { display: block; width: 100%; height: 14px; border-radius: 5px; background: var(--mute); } .tiny { height: 6px; min-width: 90px; }
.fill-ok { fill: var(--ok-fill); } .fill-warn { fill: var(--warn-fill); } .fill-bad { fill: var(--bad-fill); } .fill-live { fill: var(--live-fill); } .fill-mute { fill: var(--mute); } .fill-edge { fill: var(--edge); } .fill-page { fill: var(--page); } .fill-ink2 { fill: var(--ink2); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 0; margin: 8px 0; list-style: none; font-size: 13px; color: var(--ink2); } .legend svg { width: 10px; height: 10px; margin-right: 6px; }
.note { border-left: 3px solid var(--warn-fill); padding: 2px 0 2px 14px; margin: 16px 0; } .note.bad { border-color: var(--bad-fill); } .note.ok { border-color: var(--ok-fill); } .note p { margin: 0; }
del { color: var(--ink2); } ins { text-decoration: none; font-weight: 600; } .number { font-size: 30px; font-weight: 650; line-height: 1.2; margin: 0; }
dl { display: grid; grid-template-columns: minmax(110px, 160px) minmax(0, 1fr); margin: 0; font-size: 14px; } dt, dd { margin: 0; padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); } dt { color: var(--ink2); }
.usual { display: flex; flex-wrap: wrap; gap: 12px 36px; align-items: center; margin: 0 0 16px; font-size: 13px; color: var(--ink2); } .usual b { color: var(--ink); }
.usual text { font-size: 12px; text-anchor: middle; fill: var(--ink2); } .answers { padding: 0 0 12px 30px !important; border-bottom: 1px solid var(--line) !important; } .answers .field { margin: 10px 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pages { display: flex; gap: 16px; margin: 12px 0; font-size: 14px; color: var(--ink2); } details summary { cursor: pointer; }
.banner { margin: 0 auto; padding-top: 12px; padding-bottom: 12px; background: var(--sunk); border-left: 3px solid var(--warn-fill); max-width: none; } .banner[hidden] { display: none; }
.stale #main { opacity: .6; } .menu { display: none; margin-left: auto; } .menu nav { flex-direction: column; } .menu[open] { width: 100%; } .menu .who { margin: 12px 10px; text-align: left; }
.head { display: flex; flex-wrap: wrap; gap: 8px 28px; justify-content: space-between; align-items: flex-start; } .head .lead { margin-bottom: 16px; }
.count { font-size: 34px; font-weight: 650; line-height: 1.2; margin-right: 8px; } .line { display: flex; flex-wrap: wrap; gap: 4px 28px; justify-content: space-between; align-items: baseline; margin: 0 0 8px; } .line p { margin: 0; }
h2 .aside { font-size: 13px; font-weight: 400; color: var(--ink2); margin-left: 10px; } .legend b { color: var(--ink); }
.chart { display: block; width: 100%; height: 172px; overflow: visible; } .chart text { font-size: 12px; fill: var(--ink2); } .chart .now { fill: var(--live); font-weight: 600; }
.chart line { stroke: var(--edge); } .chart .limit { stroke-dasharray: 2 3; } .chart .now-line { stroke: var(--live-fill); stroke-width: 1.5; } .chart .grid { stroke: var(--line); } .come { fill: var(--mute); opacity: .45; }
.dropping::after { content: 'Drop the file to read it. Nothing is sent before you say so.'; position: fixed; inset: 12px; z-index: 9; display: grid; place-items: center; border: 2px dashed var(--focus); border-radius: 10px; background: color-mix(in srgb, var(--page) 92%, transparent); font-size: 18px; font-weight: 620; pointer-events: none; }
.columns.home { grid-template-columns: minmax(0, 1fr) 308px; } .bring { padding: 28px 20px; border: 1px dashed var(--edge); border-radius: 10px; background: var(--sunk); text-align: center; } .bring h2 { margin: 0; } .bring p { margin: 4px auto; }
.first { max-width: 520px; margin: 44px auto; padding: 44px 28px; border: 1px dashed var(--edge); border-radius: 10px; background: var(--sunk); text-align: center; } .first p { margin: 12px auto; } .big { min-height: 44px; padding: 10px 22px; }
.is-warn { color: var(--warn); } .is-bad { color: var(--bad); } .phone { display: none; }
.story { list-style: none; margin: 0; padding: 0; } .story li { position: relative; display: grid; grid-template-columns: 96px minmax(0, 1fr); gap: 0 44px; padding-bottom: 24px; } .story time { text-align: right; font-size: 13px; color: var(--ink2); padding-top: 2px; }
.story li::before { content: ''; position: absolute; left: 117px; top: 7px; width: 10px; height: 10px; border-radius: 50%; background: var(--edge); } .story li::after { content: ''; position: absolute; left: 121.5px; top: 21px; bottom: -5px; width: 1px; background: var(--line); } .story li:last-child::after { display: none; }
.story .ok::before { background: var(--ok-fill); } .story .warn::before { background: var(--warn-fill); } .story .bad::before { background: var(--bad-fill); } .story p { margin: 0; } .story pre, .raw { margin: 8px 0; padding: 12px; background: var(--sunk); border-radius: 6px; font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; }
.columns.of-person { grid-template-columns: minmax(0, 1fr) 348px; } .of-person aside > h2:first-child { margin-top: 44px; } .last { margin-top: 44px; padding-top: 20px; border-top: 1px solid var(--line); } .last h2 { margin-top: 0; font-size: 15px; }
.beside { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 8fr); gap: 0 40px; } .slim, .button.slim { min-height: 30px; padding: 3px 10px; font-size: 13px; white-space: nowrap; } td.act { text-align: right; padding-right: 0; }
.beside th[scope=row] { width: 45%; } .beside .find { justify-content: space-between; align-items: baseline; margin: 0; } .beside .find input { flex: 0 1 220px; } .beside .find h2 { flex: 1; }
td .bar.tiny { margin-top: 7px; } .of { color: var(--ink2); } .fold { border-top: 1px solid var(--line); padding: 12px 0; } .fold summary { font-weight: 600; } .fold:last-child { border-bottom: 1px solid var(--line); } [data-newer] { margin: 44px 0 0; }
@media (max-width: 860px) { .beside { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 860px) { .columns, .columns.home, .columns.of-person { grid-template-columns: minmax(0, 1fr); } .decide { position: static; } }
@media (max-width: 640px) { .wide { padding: 0 16px; } h1 { font-size: 23px; } h2 { margin-top: 34px; } header > .wide > .who, .places { display: none !important; } .menu { display: block; } .phone { display: inline; } .columns.home, .columns.of-person { grid-template-columns: minmax(0, 1fr); } .story li { grid-template-columns: minmax(0, 1fr); padding-left: 24px; } .story time { text-align: left; } .story li::before { left: 0; } .story li::after { left: 4.5px; } .count { font-size: 28px; }
  #failures table, #failures tbody, #failures tr, #failures td { display: block; } #failures thead { display: none; } #failures tr { padding: 12px 0; border-bottom: 1px solid var(--line); }
  #failures td { padding: 2px 0; border: 0; text-align: left; white-space: normal; } #failures td.act .button, #failures td.act button { width: 100%; } .beside .find { flex-wrap: wrap; } .beside .find h2 { flex: 1 0 100%; }
  #runs table, #runs tbody { display: block; } #runs thead { display: none; } #runs tr { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: flex-start; padding: 12px 0; border-bottom: 1px solid var(--line); }
  #runs td, #runs tbody th { padding: 0; border: 0; } #runs tbody th { flex: 1 1 50%; } #runs .when { flex: 1 0 100%; }
  .head { margin-bottom: 16px; } .whole { white-space: normal; } #latest td { min-width: 64px; } #latest tr > :last-child { display: none; }
  .waits { grid-template-columns: minmax(0, 1fr); } .waits .button { width: 100%; } .button, button:not(.plain) { min-height: 44px; } .late { display: none; } tbody td, tbody th { padding-right: 10px; } }
@media print { header nav, header form, form, .button, .pages, .filters { display: none; } a { text-decoration: none; } .pill { border: 1px solid currentColor; } .columns { display: block; } }
@media (prefers-reduced-motion: no-preference) { .bar rect { transition: width .3s; } }
`;
