// Checking an upload: what was read, what each column becomes, and what comes out of it.
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../core/attempt.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { UploadMapping, type WrittenMapping } from '../../../config/source-schema.ts';
import { askAs } from '../../acts/perform.ts';
import { planUpload, wrongName } from '../../acts/uploads.ts';
import { cleanCell } from '../../core/cells/read-cell.ts';
import { defined } from '../../core/defined.ts';
import { rulesFromUses } from '../../core/mapping/column-uses.ts';
import { readNames, withNames } from '../../core/mapping/renaming.ts';
import { check, checkTitle } from '../../page/check.ts';
import { delimiterNamed } from '../../page/check-file.ts';
import { t, words } from '../../page/words.ts';
import type { CheckPlan } from '../../intake/check-view.ts';
import { filtersOf } from '../../intake/upload-filters.ts';
import { examineUpload } from '../../intake/examine-upload.ts';
import { type KeptUpload, KeptUploads } from '../../intake/kept-uploads.ts';
import { mappingOfUpload, withUpload, isPlanned, plannedRun } from '../../intake/open-upload.ts';
import { awaitAnswer, hungUp, mostOfForm, whileRead } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, requireScope, sendPage } from './session.ts';
import type { PlanBehind } from './planning.ts';

const otherWords: Record<string, string> = {
  firstname: words('first name'),
  lastname: words('last name'),
  email: words('e-mail'),
  telephone: words('telephone'),
  employeeId: words('employee number'),
  startDate: words('first day'),
  fullname: words('whole name'),
};

export function registerChecking(app: FastifyInstance, parts: ServerParts, planBehind: PlanBehind): void {
  const { context } = parts;
  const uploads = new KeptUploads(context);
  const uploadOf = ({ params, by }: FastifyRequest): Promise<KeptUpload> =>
    uploads.get((params as { upload: string }).upload, by);

  async function planOf(upload: KeptUpload): Promise<CheckPlan | undefined> {
    const run = await plannedRun(context, upload);
    if (!run?.plan) return undefined;
    const { possibleInvitations: invited, counts } = run.plan;
    const { new: fresh, changed, again, later, unchanged } = counts;
    return { invited, silent: fresh + changed + again - invited, later, unchanged };
  }

  app.get('/import/:upload', async (request, reply) => {
    requireScope(request, 'run');
    const kept = await uploadOf(request);
    const { view, upload } = await examineUpload(context, kept, whileRead(reply));
    if (upload !== kept) await uploads.save(upload);
    const plan = isPlanned(upload) ? await planOf(upload) : undefined;
    const body = check({ ...view, ...defined({ plan }) });
    return sendPage(parts, request, reply, { title: t(checkTitle), place: 'import' }, body);
  });

  app.post('/import/:upload', { bodyLimit: mostOfForm }, async (request, reply) => {
    requireScope(request, 'run');
    awaitAnswer(request);
    const upload = await uploadOf(request);
    const form = formOf(request);
    const asked = await withForm(upload, form, hungUp(reply));
    const problem = asked.problem ?? wrongName(context, asked)?.message;
    await uploads.save({ ...asked, ...defined({ problem }) });
    const path = `/import/${upload.id}`;
    const isOfGroups = form['do'] === 'groups' || form['rename'] !== undefined || form['meant'] !== undefined;
    if (problem !== undefined || form['do'] !== 'people')
      return reply.redirect(isOfGroups && problem === undefined ? `${path}#groups` : path, 303);
    return planBehind(request, reply, upload, {
      plan: (asker) => askAs(asker)(planUpload, { upload: upload.id }),
      rows: Number(form['rows']) || 0,
      to: `${path}/people`,
    });
  });
}

async function withForm(upload: KeptUpload, form: Form, signal: AbortSignal): Promise<KeptUpload> {
  const { problem: _, ...before } = upload;
  const source = (form['source'] ?? upload.source).trim();
  const meant = form['meant'];
  const read = readingFrom(upload, form);
  const isReadAnew = !isDeepStrictEqual(read, upload.mapping?.read ?? {});
  const named: KeptUpload = {
    ...before,
    source: source === '' ? upload.source : source,
    remember: form['remember'] === 'on',
    meantGroups: meant === undefined ? upload.meantGroups : [...new Set([...upload.meantGroups, meant])],
  };
  const reading = Object.keys(read).length > 0 ? { read } : {};
  if (isReadAnew) {
    // Other columns may come of it: what they become is proposed afresh. What is decided of names and people stays.
    const { rename, renamePatterns, allow, leavers } = named.mapping ?? {};
    const stays = defined({ rename, renamePatterns, allow, leavers });
    const { corrections } = upload;
    const undone = t(
      'The file is read in another way, so [your change of a cell is|your # changes of cells are] undone. Make [it|them] again.',
      corrections.length,
    );
    return checked(
      named,
      { ...stays, ...reading, ...deliverFrom(form) },
      { offered: [], corrections: [], ...(corrections.length > 0 && { problem: undone }) },
    );
  }
  if (!Object.keys(form).some((name) => name.startsWith('column.'))) return named;
  const { mapping, problem } = await mappingFrom(named, form, signal);
  const changed = checked(named, mapping, {});
  return problem === undefined ? changed : { ...changed, problem };
}

function checked(upload: KeptUpload, mapping: WrittenMapping, more: Partial<KeptUpload>): KeptUpload {
  const parsed = UploadMapping.safeParse(mapping);
  if (parsed.success) return { ...upload, ...more, mapping };
  const [issue] = parsed.error.issues;
  return { ...upload, problem: `${issue?.path.join('.')} ${issue?.message}.` };
}

type Read = NonNullable<WrittenMapping['read']>;

/** How to read the file, as chosen on the page; what is left empty is detected. */
function readingFrom(upload: KeptUpload, form: Form): Read {
  const before = upload.mapping?.read ?? {};
  const { encoding: _, delimiter: _delimiter, headerLine: _line, sheet: _sheet, ...others } = before;
  const said = (name: 'encoding' | 'sheet'): string | undefined => {
    const given = form[name]?.trim();
    return given === '' ? undefined : (given ?? before[name]);
  };
  const [encoding, sheet] = [said('encoding'), said('sheet')];
  const delimiter = form['delimiter'] === undefined ? before.delimiter : delimiterNamed(form['delimiter']);
  const line = form['headerLine']?.trim();
  const headerLine = line === undefined ? before.headerLine : line === '' ? undefined : Number(line);
  return {
    ...others,
    ...(encoding !== undefined && encoding !== form['encoding.found'] && { encoding }),
    ...defined({ delimiter, headerLine, sheet }),
  };
}

function deliverFrom(form: Form): Pick<WrittenMapping, 'deliver'> {
  if (form['invite'] === undefined) return {};
  return { deliver: { invite: form['invite'] === 'yes', forceSync: form['forceSync'] === 'on' } };
}

async function mappingFrom(
  upload: KeptUpload,
  form: Form,
  signal: AbortSignal,
): Promise<{ mapping: WrittenMapping; problem?: string }> {
  const {
    members: _,
    groups: _groups,
    only: _only,
    except: _except,
    deliver: _deliver,
    rename: _rename,
    allow: _allow,
    ...others
  } = upload.mapping ?? {};
  const before = mappingOfUpload(upload);
  const header = await withUpload(upload, ({ form }) => form.header, signal);
  const uses = header.map((name, index) => ({ name: name.trim(), use: form[`column.${index}`] ?? '' }));
  const waits = form['waits.shown'] === undefined || form['waits'] === 'on';
  const isKept = upload.remember === true && upload.origin !== undefined;
  const { rules, twice } = rulesFromUses({ uses, always: form['always'] ?? '', waits, isKept }, before);
  const kept = filtersOf(upload).filter((_filter, at) => form[`filter.${at}`] === 'on');
  const rulesOf = (kind: 'only' | 'except') => kept.filter((each) => each.kind === kind).map(({ rule }) => rule);
  const [only, except] = [rulesOf('only'), rulesOf('except')];
  const mapping = {
    ...others,
    ...defined({ members: rules.members }),
    ...(rules.groups && rules.groups.length > 0 && { groups: rules.groups }),
    ...(only.length > 0 && { only }),
    ...(except.length > 0 && { except }),
    ...withNames(before, namesFrom(form)),
    ...deliverFrom(form),
  };
  const [first] = twice;
  const { wrong } = readNames(form['names'] ?? '');
  return {
    // Rules are plain data, as the config writes it.
    mapping: JSON.parse(JSON.stringify(mapping)) as WrittenMapping,
    ...(wrong !== undefined && {
      problem: t('“{name}” has no second column. Paste two: the name in the file, and what it becomes.', 1, {
        name: wrong,
      }),
    }),
    ...(first && {
      problem: t('Two columns are the {field}: {columns}. Choose one of them.', 1, {
        field: t(otherWords[first.field] ?? first.field),
        columns: first.columns.reduce((before, column) => t('{before} and {column}', 1, { before, column })),
      }),
    }),
  };
}

/** What each group of the file becomes, where that was changed: typed, pasted, or by the button that puts one into another. */
function namesFrom(form: Form): Map<string, string> {
  const typed = Object.entries(form).flatMap(([name, value = '']) =>
    name.startsWith('group.') ? [[name.slice('group.'.length), cleanCell(value)] as const] : [],
  );
  // Two texts as a button sends them; nothing for anything else.
  const [from, to] = z.tuple([z.string(), z.string()]).safeParse(parseJson(form['rename'] ?? '')).data ?? [];
  return new Map([
    ...typed.filter(([name, group]) => group !== form[`was.${name}`]),
    ...readNames(form['names'] ?? '').names,
    ...typed.flatMap(([name, group]) => (to !== undefined && group === from ? [[name, to] as const] : [])),
  ]);
}
