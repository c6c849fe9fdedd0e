// The part of the stylesheet for the pages of an import.

export const importStyle = `
pre { overflow-x: auto; padding: 14px; border-radius: 10px; background: var(--sunk); font-size: 13px; } .wide-field { max-width: none; }
textarea { width: 100%; padding: 8px 10px; border: 1px solid var(--edge); border-radius: 6px; background: var(--raise); color: var(--ink); font: inherit; font-size: 14px; white-space: pre; overflow: auto; }
.steps { display: flex; flex-wrap: wrap; gap: 4px 14px; list-style: none; margin: 0 0 20px; padding: 0; font-size: 14px; color: var(--ink2); }
.steps li, .steps a { display: flex; align-items: center; gap: 8px; text-decoration: none; } .steps b { font-weight: 500; }
.steps li + li::before { content: ""; width: 34px; height: 1px; background: var(--edge); }
.steps span[aria-hidden] { display: inline-grid; place-items: center; width: 22px; height: 22px; border: 1px solid var(--edge); border-radius: 50%; font-size: 12.5px; }
.steps .now { color: var(--ink); } .steps .now b { font-weight: 650; } .steps .now span[aria-hidden] { background: var(--button); border-color: var(--button); color: var(--on-button); }
.steps .done span[aria-hidden] { background: var(--ok-ground); border-color: var(--ok-ground); color: var(--ok); } .steps a:hover b { text-decoration: underline; }
.bring-box { padding: 28px; border: 1px dashed var(--edge); border-radius: 10px; background: var(--sunk); max-width: 640px; } .bring-box .field, .bring-box details { margin: 0 0 16px; }
.check { display: grid; grid-template-columns: minmax(0, 1fr) 308px; gap: 28px 48px; align-items: start; } .check h2 small { font-size: 13px; font-weight: 400; color: var(--ink2); margin-left: 10px; }
.check > div > section:first-child h2 { margin-top: 0; } .names { font-size: 17px; margin: 0 0 4px; max-width: none; } .check summary { font-size: 13px; color: var(--ink2); text-decoration: underline; text-underline-offset: 3px; display: inline-block; min-height: 24px; }
.check details[open] { border-left: 3px solid var(--line); padding-left: 14px; } .check details .row { align-items: end; } .check details .field { margin: 8px 0; max-width: 200px; }
.columns-table td, .columns-table th { vertical-align: middle; } .columns-table select { max-width: 210px; } .columns-table .samples { display: block; font-size: 13px; color: var(--ink2); }
.columns-table .doubtful th { border-left: 3px solid var(--warn-fill); padding-left: 12px; } .why { font-size: 13px; color: var(--ink2); } .why b { display: block; color: var(--warn); font-weight: 600; }
.note .row { margin-top: 8px; } .groups { columns: 2; column-gap: 44px; margin: 0; padding: 0; list-style: none; font-size: 14px; }
.groups li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 0.8fr) auto; gap: 12px; padding: 8px 0; border-bottom: 1px solid var(--line); break-inside: avoid; } .groups span { color: var(--ink2); font-size: 13px; }
.sum { position: sticky; top: 20px; } .sum .box { padding: 20px; background: var(--raise); } .sum h2 { margin: 0 0 8px; font-size: 15px; } .sum dl { display: block; } .sum dl div { display: flex; justify-content: space-between; gap: 12px; padding: 4px 0; }
.sum dt, .sum dd { padding: 0; border: 0; color: inherit; } .sum .total { border-top: 1px solid var(--edge); margin-top: 4px; padding-top: 8px; font-weight: 650; } .sum .part { font-size: 13px; color: var(--ink2); padding: 2px 0; }
.sum .main { margin-top: 12px; } .sum .again { width: 100%; margin-top: 8px; } .sum .box p { text-align: center; margin-bottom: 0; } .sum .option { border: 0; } .sum .field { margin: 20px 0 0; } .apart { border-top: 1px solid var(--edge); }
.problems { border-left: 3px solid var(--bad-fill); padding: 2px 0 2px 14px; margin: 0 0 24px; } .problems p { margin: 4px 0; max-width: none; white-space: pre-line; }
.people-head { display: flex; flex-wrap: wrap; gap: 12px; justify-content: space-between; align-items: start; } .people-tools { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: space-between; align-items: center; } .people-tools .filters { margin: 12px 0; align-items: center; } .people-tools form, .people-tools [role=search].row { margin: 8px 0; }
.everybody td, .everybody th { padding-top: 7px; padding-bottom: 7px; } .everybody .pill { min-width: 86px; text-align: center; margin-right: 6px; } .everybody input { max-width: 230px; min-height: 30px; padding: 3px 9px; } .everybody button { min-height: 30px; padding: 3px 12px; } .everybody .wrong { margin: 0; display: inline; } .everybody form { display: contents; }
td.line { display: table-cell; } .people-tools .row { flex-wrap: nowrap; max-width: 100%; } .people-tools select { flex: 0 1 190px; min-width: 0; } .people-tools button { flex: none; white-space: nowrap; }
.folded > td { padding: 0 !important; } .folded summary { padding: 9px 0; font-size: 14px; } .folded details > .everybody thead { display: none; }
.confirm { position: sticky; bottom: 0; margin: 28px -20px 0; padding: 14px 20px; display: grid; grid-template-columns: auto minmax(0, 1fr) auto auto; gap: 8px 20px; align-items: center; background: var(--raise); border-top: 1px solid var(--edge); }
.confirm p { margin: 0; max-width: none; } .confirm .number { font-size: 30px; font-weight: 650; line-height: 1; } .confirm .main { width: auto; } .confirm label { font-size: 13px; font-weight: 400; color: var(--ink2); } .confirm .row { flex-wrap: nowrap; } .confirm .wrong { grid-column: 1 / -1; }
@media (max-width: 860px) { .check { grid-template-columns: minmax(0, 1fr); } .sum { position: static; } .confirm { display: flex; flex-wrap: wrap; } .confirm > p:not(.number, .row) { flex: 1 1 60%; } .confirm .row { flex: 1 1 auto; } .confirm .main { flex: 1 1 auto; } }
@media (max-height: 560px) { .confirm { position: static; } }
@media (max-width: 640px) { .groups { columns: 1; } .steps li:not(.now) b { display: none; } .steps li + li::before { width: 14px; }
  .columns-table, .columns-table tbody { display: block; } .columns-table thead { display: none; } .columns-table tr { display: grid; grid-template-columns: minmax(0, 1fr) 160px; gap: 2px 12px; padding: 9px 0; border-bottom: 1px solid var(--line); }
  .columns-table td, .columns-table tbody th { padding: 0; border: 0; } .columns-table td.why { grid-column: 1 / -1; } .columns-table .doubtful th { border: 0; padding: 0; } .columns-table select { min-height: 44px; }
  .everybody, .everybody tbody { display: block; } .everybody thead { display: none; } .everybody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; padding: 10px 0; border-bottom: 1px solid var(--line); }
  .everybody td, .everybody tbody th { padding: 0; border: 0; } .everybody td.address, .everybody td.said { grid-column: 1 / -1; } .everybody td.what { grid-column: 2; grid-row: 1; } .everybody td.what span:last-child { display: none; } .everybody td.line { display: none; } .everybody input { max-width: none; min-height: 44px; } .everybody button { min-height: 44px; margin-top: 6px; }
  .filters { flex-wrap: nowrap; overflow-x: auto; max-width: 100%; } .filters a { white-space: nowrap; } .confirm { margin: 28px -16px 0; padding: 12px 16px; } }
@media print { .confirm, .steps { display: none; } .sum { position: static; } }
`;
