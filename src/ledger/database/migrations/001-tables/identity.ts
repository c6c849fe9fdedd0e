// The first tables: whose ledger it is, and which processes work with it.

export const identity = `
  create table ledger (
    id text primary key,
    created_at timestamptz not null default now(),
    -- Two random UUIDs: 244 bits of chance.
    forget_key text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
  );
  insert into ledger (id) values (replace(gen_random_uuid()::text, '-', ''));
  create table workers (
    id text primary key,
    seen_at timestamptz not null default now(),
    alive_since timestamptz not null default clock_timestamp()
  );
  create table paces (service text primary key, share double precision not null);
  -- Which process feeds the queue of a service.
  create table feeders (service text primary key, worker text not null, until timestamptz not null);
`;
