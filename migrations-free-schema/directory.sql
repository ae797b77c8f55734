-- The directory: which boards exist, and which are being made or deleted. Same policy as board.sql.

create table if not exists boards (
  id text not null primary key,
  name text not null,
  state text not null check (state in ('creating', 'active', 'deleting')),
  operation_id text not null,
  archived integer not null default 0 check (archived in (0, 1)),
  location_hint text,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

create table if not exists creations (
  idempotency_key text not null primary key,
  body_hash text not null,
  board_id text not null,
  operation_id text not null,
  created_at integer not null
) strict, without rowid;

-- Codes of links that sign a browser in, by their digest; each is good once, for a minute.
create table if not exists session_codes (
  code_hash text not null primary key,
  identity text not null check (json_valid(identity)),
  expires_at integer not null
) strict, without rowid;

-- What was done with boards as a whole; it outlives them.
create table if not exists directory_audit (
  number integer not null primary key,
  at integer not null,
  actor_id text not null,
  kind text not null,
  board_id text
) strict, without rowid;

create table if not exists directory (
  id text not null primary key,
  schema_fingerprint text not null,
  schema_before text not null default '[]' check (json_valid(schema_before))
) strict, without rowid;

create index if not exists creations_by_age on creations (created_at);

create index if not exists session_codes_by_expiry on session_codes (expires_at);
