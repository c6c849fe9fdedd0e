// Builds docs/presets.md from src/data/presets.
import { presets } from '../src/roster/presets/presets.ts';

const introduction = `# Presets

This page is generated from \`src/data/presets\` by \`npm run schema\`.

A preset knows a system: how to ask, where the people are, which column is what, who counts as active. Your own \`members\`,
\`groups\`, \`only\`, \`except\` and \`leavers\` take precedence. A condition of the preset stays unless your own list of the same
name has one on the same column; \`except: []\` drops all of its \`except\`. \`account\` holds what the preset has to know, and
all of it is treated as secret. No preset takes a private address. \`roster-sync inspect NAME\` shows what a source reads.

The presets follow the documentation of their systems and were not tested with real accounts. For ADP, UKG, SAP
SuccessFactors, Rippling, Gusto, Deel and Entra's "Download users", whose answers could not be verified,
[examples/hr-systems](../examples/hr-systems/presets.yaml) has labelled configs for the plain HTTP or file source.
`;

export function presetsPage(): string {
  return [introduction, ...Object.entries(presets()).map(([name, preset]) => sectionOf(name, preset))].join('\n');
}

function sectionOf(name: string, preset: ReturnType<typeof presets>[string]): string {
  const { title, parameters, email, active, leavesOut } = preset;
  const account = Object.entries(parameters).map(
    ([key, { description, fallback }]) =>
      `| \`${key}\` | ${description.replaceAll('|', String.raw`\|`)} | ${sayFallback(fallback)} |`,
  );
  return `## ${name}

${title}.

${account.length === 0 ? '' : `| account | what it is | default |\n|---|---|---|\n${account.join('\n')}\n\n`}- **E-mail**: ${email}
- **Active**: ${active}
${leavesOut.map((text) => `- **Left out**: ${text}\n`).join('')}`;
}

function sayFallback(fallback: string | undefined): string {
  if (fallback === undefined) return 'required';
  return fallback === '' ? 'none' : `\`${fallback}\``;
}
