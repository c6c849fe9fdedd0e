import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Row } from '../../src/core/rows/row.ts';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import type { Bundle } from '../../src/roster/read-schema.ts';
import { fileOf, newPath, read, refusalOf } from './reading.ts';
import { textRows, workbookOf } from './workbook-writer.ts';
import { zipOf } from './zip-writer.ts';

type Files = Record<string, string>;

async function folderOf(files: Files): Promise<string> {
  const path = newPath('export');
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

const zipFile = (files: Files) =>
  fileOf(zipOf(Object.entries(files).map(([name, content]) => ({ name, content }))), 'export.zip');

/** What the first person of a bundle has, by column. */
async function people(path: string, options?: OpenOptions) {
  const { roster, rows } = await read(path, options);
  const { header } = roster.form;
  const records = rows.map(({ cells }) => Object.fromEntries(cells.map((cell, at) => [header[at] ?? at, cell])));
  return { roster, rows, records, notes: roster.form.notes };
}

const manifest = (more = '', version = '1.1') =>
  `propertyName,value\nmanifest.version,1.0\noneroster.version,${version}\n${more}`;

const oneRoster: Files = {
  'manifest.csv': manifest(
    'file.users,bulk\nfile.enrollments,bulk\nfile.classes,bulk\nfile.orgs,bulk\nfile.courses,absent\n',
  ),
  'users.csv':
    '\ufeff"sourcedId","status","dateLastModified","enabledUser","orgSourcedIds","role","username","givenName","familyName","email"\r\n' +
    '"u1","","","true","o1,o2","student","ann","Ann","Ek","ann@example.com"\r\n' +
    '"u2","","","true","o1","teacher","bo","Bo","Ek","bo@example.com"\r\n' +
    '"u3","","","false","o1","student","cy","Cy","Ek","cy@example.com"\r\n' +
    '"u4","","","true","o9","student","di","Di","Ek","di@example.com"\r\n',
  'enrollments.csv':
    'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role\n' +
    'e1,,,c1,o1,u1,student\ne2,,,c2,o1,u1,student\ne3,,,c1,o1,u2,teacher\ne4,,,c9,o1,u4,student\n',
  'classes.csv': 'sourcedId,status,title,courseSourcedId\nc1,,Algebra; advanced,k1\nc2,,Art,k2\n',
  'orgs.csv': 'sourcedId,status,name,type\no1,,North School,school\no2,,District,district\n',
};

suite('OneRoster', () => {
  for (const [what, make] of [
    ['a folder', folderOf],
    ['a zip archive', zipFile],
  ] as const) {
    test(`1.1 in ${what} gives classes, organisations and roles`, async () => {
      const path = await make(oneRoster);
      const { roster, records, rows, notes } = await people(path);
      assert.equal(roster.form.part, 'OneRoster 1.1');
      assert.equal(roster.form.format, 'bundle');
      assert.equal(roster.form.isPartial, undefined);
      const [ann, bo, , di] = records;
      assert.deepEqual(
        [ann?.['classes'], ann?.['orgs'], ann?.['roles'], ann?.['role']],
        ['Algebra, advanced;Art', 'North School;District', 'student', 'student'],
      );
      assert.equal(bo?.['roles'], 'teacher');
      assert.deepEqual([di?.['classes'], di?.['orgs']], ['', '']);
      assert.deepEqual(
        rows.map(({ line, file, ...row }) => [line, file, 'leftOut' in row ? row.leftOut : '']),
        [2, 3, 4, 5].map((line) => [line, `${path}/users.csv`, line === 4 ? 'enabledUser is false' : '']),
      );
      assert.equal('courses' in (ann ?? {}), false);
      assert.deepEqual(notes, [
        'The column courses is left out: there is no courses.csv.',
        'Some joined names hold a ";", which separates names here: it became a comma.',
        'one value of classSourcedId in enrollments.csv not found in classes.csv: ignored.',
      ]);
    });
  }

  test('1.2 takes roles and organisations from roles.csv', async () => {
    const { records, roster } = await people(
      await folderOf({
        'manifest.csv': manifest('file.users,bulk\n', '1.2'),
        'users.csv':
          'sourcedId,status,enabledUser,username,givenName,familyName,email\nu1,,true,ann,Ann,Ek,ann@example.com\n',
        'roles.csv':
          'sourcedId,userSourcedId,roleType,role,orgSourcedId\nr1,u1,primary,teacher,o1\nr2,u1,secondary,aide,o2\n',
        'orgs.csv': 'sourcedId,name\no1,North\no2,South\n',
      }),
    );
    assert.equal(roster.form.part, 'OneRoster 1.2');
    assert.deepEqual([records[0]?.['roles'], records[0]?.['orgs']], ['teacher;aide', 'North;South']);
  });

  test('a file that its manifest says is there, and is not, is refused: what it says may leave people out', async () => {
    const { 'enrollments.csv': _, ...files } = oneRoster;
    assert.match(await refusalOf(read(await folderOf(files))), /its manifest says that enrollments\.csv is in it/);
  });

  test('the files that were there are remembered; of changes only, none are', async () => {
    const { roster } = await people(await folderOf(oneRoster));
    const files = ['classes.csv', 'enrollments.csv', 'orgs.csv', 'users.csv'];
    assert.deepEqual(roster.form.joined, { of: 'bundle', files });
    const changes = { ...oneRoster, 'manifest.csv': manifest('file.users,delta\n') };
    assert.equal((await people(await folderOf(changes))).roster.form.joined, undefined);
  });

  test('delta of users is partial, and leaves out those to be deleted; a delta of enrolments is not joined', async () => {
    const { roster, rows, notes, records } = await people(
      await folderOf({
        ...oneRoster,
        'manifest.csv': manifest('file.users,delta\nfile.enrollments,delta\n'),
        'users.csv':
          'sourcedId,status,enabledUser,email\nu1,active,true,ann@example.com\nu2,tobedeleted,true,bo@example.com\n',
      }),
    );
    assert.equal(roster.form.isPartial, true);
    assert.deepEqual(
      (rows as Row[]).map(({ leftOut }) => leftOut),
      [undefined, 'status is tobedeleted'],
    );
    assert.equal('classes' in (records[0] ?? {}), false);
    assert.match(notes.join('\n'), /users\.csv holds only changes[^]*enrollments\.csv holds only changes/);
  });

  test('without users is refused', async () => {
    const files = { ...oneRoster, 'manifest.csv': manifest('file.users,absent\n') };
    assert.match(await refusalOf(read(await folderOf(files))), /users\.csv is absent/);
  });
});

suite('other bundles', () => {
  test('Microsoft SDS v1 gives students and teachers their sections', async () => {
    const { roster, records, rows } = await people(
      await folderOf({
        'Student.csv':
          'SIS ID,School SIS ID,First Name,Last Name,Username,Status,Grade\n1,s,Ann,Ek,aek,Active,9\n2,s,Bo,Ek,bek,Inactive,9\n',
        'Teacher.csv': 'SIS ID,School SIS ID,First Name,Last Name,Username,Status,Title\n1,s,Cy,Ek,cek,Active,Dr\n',
        'StudentEnrollment.csv': 'Section SIS ID,SIS ID\nx,1\ny,1\n',
        'TeacherRoster.csv': 'Section SIS ID,SIS ID\ny,1\n',
        'Section.csv': 'SIS ID,Section Name,Course Name\nx,Maths 1,Maths\ny,Art 1,Art\n',
        'School.csv': 'SIS ID,Name\ns,North\n',
      }),
    );
    assert.equal(roster.form.part, 'Microsoft SDS v1');
    const [ann, , cy] = records;
    assert.deepEqual(
      [ann?.['sections'], ann?.['courses'], ann?.['schools'], ann?.['roles'], ann?.['Grade']],
      ['Maths 1;Art 1', 'Maths;Art', 'North', 'student', '9'],
    );
    assert.deepEqual([cy?.['sections'], cy?.['roles'], cy?.['Title'], cy?.['Grade']], ['Art 1', 'teacher', 'Dr', '']);
    assert.equal((rows[1] as Row).leftOut, 'Status is Inactive');
    assert.equal(rows[2]?.file, `${roster.form.file}/Teacher.csv`);
  });

  test('Microsoft SDS v1 without Teacher.csv holds only some of its people, and says so', async () => {
    const students: Files = {
      'Student.csv': 'SIS ID,School SIS ID,First Name,Last Name,Username\n1,s,Ann,Ek,aek\n2,s,Bo,Ek,bek\n',
      'School.csv': 'SIS ID,Name\ns,North\n',
    };
    const teachers = 'SIS ID,School SIS ID,First Name,Last Name,Username\n9,s,Cy,Ek,cek\n';
    const hides = async (files: Files) => {
      const { rows, notes } = await people(await folderOf(files));
      return { hides: rows.map(({ hidesOthers }) => hidesOthers), said: notes.filter((note) => /Teacher/.test(note)) };
    };
    assert.deepEqual(
      await hides({ ...students, 'Teacher.csv': teachers, 'TeacherRoster.csv': 'Section SIS ID,SIS ID\nx,9\n' }),
      {
        hides: [undefined, undefined, undefined],
        said: [],
      },
    );
    for (const files of [students, { ...students, 'TeacherRoster.csv': 'Section SIS ID,SIS ID\nx,9\n' }]) {
      assert.deepEqual(await hides(files), {
        hides: [true, true],
        said: ['There is no Teacher.csv, which has people too: nobody counts as missing from this roster.'],
      });
    }
  });

  test('Microsoft SDS v2.1 gives classes, organisations and roles', async () => {
    const { roster, records } = await people(
      await zipFile({
        'users.csv':
          'sourcedId,username,givenName,familyName,password,activeDirectoryMatchId,email,phone,sms\n1,ann,Ann,Ek,,,ann@example.com,,\n',
        'roles.csv': 'userSourcedId,orgSourcedId,role\n1,o,student\n',
        'orgs.csv': 'sourcedId,name,type\no,North,school\n',
        'classes.csv': 'sourcedId,orgSourcedId,title\nc,o,Maths\n',
        'enrollments.csv': 'classSourcedId,userSourcedId,role\nc,1,student\n',
      }),
    );
    assert.equal(roster.form.part, 'Microsoft SDS v2.1');
    const [ann] = records;
    assert.deepEqual([ann?.['classes'], ann?.['orgs'], ann?.['roles']], ['Maths', 'North', 'student']);
  });

  test('Microsoft SDS v1 as it is written in the United Kingdom has ID in place of SIS ID', async () => {
    const { roster, records, notes } = await people(
      await folderOf({
        'Student.csv':
          'ID,School DFe Number,First Name,Last Name,Username,Status\n1,s,Ann,Ek,aek,Active\n2,s,Bo,Ek,bek,Active\n',
        'Teacher.csv': 'ID,School DfE Number,First Name,Last Name,Username,Status\n3,s,Cy,Ek,cek,Active\n',
        'StudentEnrollment.csv': 'Section ID,ID\nx,1\nx,2\ny,1\n',
        'TeacherRoster.csv': 'Section ID,ID\ny,3\n',
        'Section.csv': 'ID,School DfE Number,Section Name,Course Name\nx,s,Maths 1,Maths\ny,s,Art 1,Art\n',
        'School.csv': 'DfE Number,Name\ns,North\n',
      }),
    );
    assert.equal(roster.form.part, 'Microsoft SDS v1');
    assert.deepEqual(
      records.map(({ sections, courses, schools, roles }) => [sections, courses, schools, roles]),
      [
        ['Maths 1;Art 1', 'Maths;Art', 'North', 'student'],
        ['Maths 1', 'Maths', 'North', 'student'],
        ['Art 1', 'Art', 'North', 'teacher'],
      ],
    );
    assert.deepEqual(notes, []);
  });

  test('Microsoft SDS v2 gives classes, organisations, and the role and address that users.csv holds', async () => {
    const { roster, records, notes } = await people(
      await folderOf({
        'users.csv':
          'sourcedId,orgSourcedIds,givenName,familyName,username,password,role,grade\n' +
          '1,"o,p",Ann,Ek,ann@school.example,,Student,6\n2,o,Bo,Ek,bek,,teacher,\n',
        'orgs.csv': 'sourcedId,name,type,parentSourcedId\no,North,school,\np,South,school,\n',
        'classes.csv': 'sourcedId,orgSourcedId,title\nc,o,Maths\n',
        'enrollments.csv': 'classSourcedId,userSourcedId,role\nc,1,Student\nc,2,Teacher\n',
      }),
    );
    assert.equal(roster.form.part, 'Microsoft SDS v2');
    assert.deepEqual(
      records.map(({ email, classes, orgs, roles }) => [email, classes, orgs, roles]),
      [
        ['ann@school.example', 'Maths', 'North;South', 'Student'],
        ['', 'Maths', 'North', 'teacher'],
      ],
    );
    assert.deepEqual(notes, ['users.csv: 1 person has no email but an address as username, which is taken.']);
  });

  test('Microsoft SDS v2.1 takes the address in username of whoever has no e-mail', async () => {
    const { records, notes, rows } = await people(
      await folderOf({
        'users.csv':
          'sourcedId,username,givenName,familyName,email\n1,ann@school.example,Ann,Ek,\n' +
          '2,bo@school.example,Bo,Ek,bo.ek@school.example\n3,cy,Cy,Ek,\n4,di@school.example,Di,Ek\n',
        'roles.csv': 'userSourcedId,orgSourcedId,role\n1,o,student\n',
        'orgs.csv': 'sourcedId,name,type\no,North,school\n',
      }),
    );
    assert.deepEqual(
      records.map(({ email }) => email),
      ['ann@school.example', 'bo.ek@school.example', '', ''],
    );
    assert.deepEqual([...((rows[3] as Row).missing ?? [])], [4], 'a row that is cut short stays one');
    assert.equal(notes.at(-1), 'users.csv: 1 person has no email but an address as username, which is taken.');
  });

  test('Canvas gives sections, courses and groups, without what is over', async () => {
    const { roster, records, rows } = await people(
      await folderOf({
        'users.csv':
          'user_id,login_id,first_name,last_name,email,status\n1,ann,Ann,Ek,ann@example.com,active\n2,bo,Bo,Ek,bo@example.com,deleted\n',
        'enrollments.csv':
          'course_id,user_id,role,section_id,status\nk,1,student,,active\n,1,student,s2,active\nk3,1,student,s3,completed\n',
        'sections.csv': 'section_id,course_id,name,status\ns2,k2,Art evening,active\ns3,k3,Old,active\n',
        'courses.csv': 'course_id,short_name,long_name,status\nk,M,Maths,active\nk2,A,Art,active\nk3,O,Old,active\n',
        'groups.csv': 'group_id,name,status\ng,Choir,available\n',
        'groups_membership.csv': 'group_id,user_id,status\ng,1,accepted\n',
      }),
    );
    assert.equal(roster.form.part, 'Canvas SIS');
    const [ann] = records;
    assert.deepEqual(
      [ann?.['sections'], ann?.['courses'], ann?.['groups'], ann?.['roles']],
      ['Art evening', 'Maths;Art', 'Choir', 'student'],
    );
    assert.equal((rows[1] as Row).leftOut, 'status is deleted');
  });

  test('a folder or an archive that is none is refused with what is there, and with what declares a join', async () => {
    const row = 'x,y\n1,2\n';
    const none = { 'a.csv': row, 'b.csv': row };
    for (const path of [await folderOf({ ...none, 'notes.pdf': '' }), await zipFile(none)]) {
      assert.match(
        await refusalOf(read(path)),
        /not a known bundle \(Canvas SIS, OneRoster, Microsoft SDS v1, .*\)\. They are a\.csv, b\.csv\. Name one of them, .*read\.join of a source/,
      );
    }
    for (const people of ['users.csv', 'Student.csv']) {
      assert.match(await refusalOf(read(await folderOf({ ...none, [people]: row }))), /not a known bundle/);
    }
  });

  test('the time is that of the newest file, and the checksum that of every file that counts', async () => {
    const path = await folderOf(oneRoster);
    const time = new Date('2026-03-01T08:00:00Z');
    for (const name of Object.keys(oneRoster))
      await utimes(join(path, name), new Date('2026-01-01'), new Date('2026-01-01'));
    await utimes(join(path, 'enrollments.csv'), time, time);
    const { roster } = await people(path);
    assert.deepEqual(roster.modifiedAt, time);
    const same = (await people(await folderOf(oneRoster))).roster.checksum();
    assert.equal(roster.checksum(), same);
    const other = { ...oneRoster, 'enrollments.csv': `${oneRoster['enrollments.csv']}e5,,,c2,o1,u2,teacher\n` };
    assert.notEqual((await people(await folderOf(other))).roster.checksum(), same);
  });

  test('rows that cannot be read are rejects in the columns of the whole, and are said where they are joined', async () => {
    const { rows, notes, roster } = await people(
      await folderOf({
        ...oneRoster,
        'orgs.csv': `${oneRoster['orgs.csv']}o3,,x,y,too,many\n`,
        'users.csv': `${oneRoster['users.csv']}u9,,,true,o1,student,a,b,c,d,too many\r\n`,
      }),
    );
    assert.deepEqual(rows.at(-1)?.cells.slice(-1), ['too many']);
    assert.equal(rows.at(-1)?.cells.length, roster.form.header.length + 1);
    assert.match(notes.join('\n'), /One row of .*orgs\.csv cannot be read and is missing\. The first: line 4/);
  });
});

suite('files that are joined as the config says', () => {
  const join: Pick<Bundle, 'people'> = {
    people: [
      {
        file: 'staff.csv',
        columns: {
          teams: [
            {
              from: 'Id',
              steps: [
                { file: 'in.csv', where: 'person', take: 'team', only: { kind: ['Member'] } },
                { file: 'teams.csv', where: 'id', take: 'name' },
              ],
            },
          ],
        },
        set: { origin: 'HR' },
        leaveOut: { State: ['left'] },
      },
    ],
  };
  const files: Files = {
    'staff.csv': 'ID;Email;State\n1;ann@example.com;\n2;bo@example.com;Left\n',
    'in.csv': 'person,team,kind\n1,a,member\n1,b,guest\n1,c,MEMBER\n',
    'teams.csv': 'id|name\na|Red\nb|Blue\nc|Green\n',
  };

  test('give the columns that are asked for, each file in its own form', async () => {
    const { records, rows, roster } = await people(await folderOf(files), { join });
    assert.deepEqual(records, [
      { ID: '1', Email: 'ann@example.com', State: '', origin: 'HR', teams: 'Red;Green' },
      { ID: '2', Email: 'bo@example.com', State: 'Left', origin: 'HR', teams: '' },
    ]);
    assert.equal((rows[1] as Row).leftOut, 'State is Left');
    assert.equal(roster.form.part, 'joined files');
    assert.equal((await people(await zipFile(files), { join })).records[0]?.['teams'], 'Red;Green');
  });

  test('say so of each person where a row of a joined file cannot be read: its values may be theirs', async () => {
    const hides = async (rows: string) => {
      const path = await folderOf({ ...files, 'in.csv': `${files['in.csv']}${rows}` });
      return (await people(path, { join })).rows.map(({ hidesOthers }) => hidesOthers);
    };
    assert.deepEqual(await hides(''), [undefined, undefined]);
    assert.deepEqual(await hides('2,a,"Mem"ber\n'), [true, true]);
  });

  test('are one that may be cut off, where one of them ends without a line end', async () => {
    assert.equal((await people(await folderOf(files), { join })).roster.form.isUnended, undefined);
    for (const [name, content] of Object.entries(files)) {
      const path = await folderOf({ ...files, [name]: content.slice(0, -1) });
      assert.equal((await people(path, { join })).roster.form.isUnended, true, name);
    }
  });

  test('must be there, with their columns', async () => {
    const { 'teams.csv': _, ...few } = files;
    assert.match(await refusalOf(read(await folderOf(few), { join })), /it has no teams\.csv, which is to be joined/);
    assert.match(
      await refusalOf(read(await folderOf({ ...files, 'in.csv': 'a,b\n1,2\n' }), { join })),
      /in\.csv: it has no column "person"/,
    );
    assert.match(
      await refusalOf(read(await folderOf({ ...files, 'staff.csv': 'a,b\n1,2\n' }), { join })),
      /staff\.csv: it has no column "Id"/,
    );
    const renamed = (name: string, from: string, to: string): Files => ({
      ...files,
      [name]: String(files[name]).replace(from, to),
    });
    assert.match(
      await refusalOf(read(await folderOf(renamed('staff.csv', 'State', 'Status')), { join })),
      /staff\.csv: it has no column "State", by which rows would be left out/,
    );
    assert.match(
      await refusalOf(read(await folderOf(renamed('in.csv', 'kind', 'sort')), { join })),
      /in\.csv: it has no column "kind", by which rows would be left out/,
    );
  });

  test('count where each column of `only` holds one of its values', async () => {
    const only = { kind: ['member'], state: ['active'] };
    const steps = [{ file: 'in.csv', where: 'person', take: 'team', only }];
    const memberships = {
      'staff.csv': files['staff.csv'] ?? '',
      'in.csv': 'person,team,kind,state\n1,Payroll,member,ended\n1,Board,guest,active\n1,Sales,Member,ACTIVE\n',
    };
    const joined = { people: [{ file: 'staff.csv', columns: { teams: [{ from: 'Id', steps }] } }] };
    const { records } = await people(await folderOf(memberships), { join: joined });
    assert.equal(records[0]?.['teams'], 'Sales');
  });

  test('are held in memory up to a limit', async () => {
    const message = await refusalOf(read(await folderOf(files), { join, limits: { joined: 3 } }));
    assert.match(message, /have more than 3 values, which are held in memory\. Raise limits\.joined/);
  });

  const dated = (current: object): Pick<Bundle, 'people'> => ({
    people: [
      {
        file: 'staff.csv',
        columns: { team: [{ from: 'Id', steps: [{ file: 'contracts.csv', where: 'person', take: 'team', current }] }] },
      },
    ],
  });
  const contracts: Files = {
    'staff.csv':
      'Id,Email\n1,ann@example.com\n2,bo@example.com\n3,cy@example.com\n4,di@example.com\n5,ed@example.com\n6,fay@example.com\n',
    'contracts.csv':
      'person,team,from,to\n1,Old,2020-01-01,2025-12-31\n1,Now,2026-01-01,NULL\n1,Next,2027-01-01,\n' +
      '2,First,2020-01-01,2021-01-01\n2,Last,2022-01-01,2023-01-01\n3,Ends today,2026-01-01,2026-03-01\n' +
      '3,Begins today,2026-03-01,9999-12-31\n4,Unclear,03/04/2026,\n5,,2026-01-01,\n5,Before,2020-01-01,2020-02-01\n' +
      '6,One,2022-01-01,2023-01-01\n6,Two,2022-01-01,2023-01-01\n6,One,2022-01-01,2023-06-01\n',
  };

  test('take the rows that hold today, both days included, and say which cannot be dated', async () => {
    const join = dated({ start: 'From', end: 'to' });
    const { records, rows, notes, roster } = await people(await folderOf(contracts), { join, today: 20260301 });
    assert.ok(
      rows.every(({ hidesOthers }) => hidesOthers),
      'the one that cannot be dated may hold today',
    );
    assert.deepEqual(
      records.map(({ team }) => team),
      ['Now', '', 'Ends today;Begins today', '', '', ''],
    );
    assert.deepEqual(notes, [
      `One row of ${roster.form.file}/contracts.csv cannot be dated and does not count. The first: line 9: "03/04/2026" can be two days: say order: dmy or order: mdy.`,
    ]);
  });

  test('take an instant as the day that it is where the source is', async () => {
    const instants = { ...contracts, 'contracts.csv': 'person,team,from,to\n1,Last day,,2026-11-29T23:00:00Z\n' };
    const there = { join: dated({ start: 'from', end: 'to' }), today: 20261130 };
    const teamIn = async (timezone: string) =>
      (await people(await folderOf(instants), { ...there, timezone })).records[0]?.['team'];
    assert.deepEqual([await teamIn('Europe/Copenhagen'), await teamIn('UTC')], ['Last day', '']);
  });

  test('take the row with the newest start where none holds today', async () => {
    const join = dated({ start: 'from', end: 'to', else: 'newest', order: 'dmy' });
    const { records, rows, notes } = await people(await folderOf(contracts), { join, today: 20260301 });
    assert.ok(!rows.some(({ hidesOthers }) => hidesOthers));
    assert.deepEqual(
      records.map(({ team }) => team),
      ['Now', 'Last', 'Ends today;Begins today', 'Unclear', '', 'One;Two'],
    );
    assert.deepEqual(notes, []);
    const later = await people(await folderOf(contracts), { join, today: 20270101 });
    assert.equal(later.records[0]?.['team'], 'Now;Next');
  });

  test('need the columns of their days', async () => {
    const join = dated({ start: 'begin' });
    assert.match(
      await refusalOf(read(await folderOf(contracts), { join })),
      /contracts\.csv: it has no column "begin"/,
    );
  });

  test('may have a header alone', async () => {
    const { records, rows, notes } = await people(await folderOf({ ...files, 'in.csv': 'person,team,kind\n' }), {
      join,
    });
    assert.equal(records[0]?.['teams'], '');
    // Its people may be in teams all the same: nobody is taken out of one.
    assert.ok(rows.every(({ hidesOthers }) => hidesOthers));
    assert.match(notes.join(), /in\.csv has a header and nobody below it: nobody counts as missing/);
    for (const alone of [workbookOf({ sheets: [{ name: 'S', rows: textRows([['person', 'team', 'kind']]) }] }), '[]']) {
      const folder = await folderOf(files);
      await writeFile(`${folder}/in.csv`, alone);
      assert.equal((await people(folder, { join })).records[0]?.['teams'], '');
    }
    const nobody = await folderOf({ ...files, 'in.csv': 'ann@example.com,a,member\n' });
    assert.match(await refusalOf(people(nobody, { join })), /no header/i);
    const blank = await folderOf(files);
    await writeFile(`${blank}/in.csv`, workbookOf({ sheets: [{ name: 'S', rows: '' }] }));
    assert.match(await refusalOf(people(blank, { join })), /no sheet of the workbook has a header/);
  });
});

test('a short row of a bundle lacks its own last cells, not what is joined to it', async () => {
  const { rows } = await people(
    await folderOf({
      'Student.csv': 'SIS ID,First Name,Username,Status,Grade\n1,Ann,aek,Active\n',
      'Teacher.csv': 'SIS ID,Title,First Name,Username,Status\n1,Dr,Cy,cek\n',
      'StudentEnrollment.csv': 'Section SIS ID,SIS ID\nx,1\n',
      'TeacherRoster.csv': 'Section SIS ID,SIS ID\nx,1\n',
      'Section.csv': 'SIS ID,Section Name,Course Name\nx,Maths 1,Maths\n',
    }),
  );
  const lacks = rows.map((row) => [...(row.missing ?? [])]);
  assert.deepEqual(lacks, [[4], [3]]);
});
