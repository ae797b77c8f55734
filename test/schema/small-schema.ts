/** A schema small enough to see whole, with a bit of everything. */
export const BASE = `
  create table if not exists items (
    id text not null primary key,
    amount integer not null default 0 check (amount >= 0),
    note text,
    unique (note, amount)
  ) strict, without rowid;
  create table if not exists tags (item_id text not null references items (id), tag text not null) strict;
  create index if not exists tags_by_tag on tags (tag);
`;
