// The first tables: answers to stories, as counts; and of people, for those who want that kept.

export const answers = `
  create table answer_snapshots (
    id bigint generated always as identity primary key,
    service text not null,
    -- Null where a person asked for it.
    due_at timestamptz,
    taken_at timestamptz not null default clock_timestamp(),
    request jsonb not null,
    answers bigint not null,
    stories jsonb not null,
    -- How far the people of sources were with the story that was asked for.
    completion jsonb not null default '[]'
  );
  create index answer_snapshots_taken on answer_snapshots (service, taken_at);
  create unique index answer_snapshots_due on answer_snapshots (service, due_at, md5(request::text));
  create table person_answers (
    -- Counts once that snapshot is there.
    snapshot_id bigint not null,
    number bigint not null,
    service text not null,
    app_id text not null,
    story_id text not null,
    story text not null,
    question text not null,
    person_key text not null,
    response text not null,
    correct boolean,
    attempts double precision,
    taken_at timestamptz not null default clock_timestamp(),
    primary key (snapshot_id, number)
  );
  create index person_answers_person on person_answers (person_key);
  create index person_answers_story on person_answers (service, app_id, story_id, snapshot_id);
  create index person_answers_taken on person_answers (taken_at);
`;
