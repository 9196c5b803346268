/** The first migrations of schema.ts, which says how they are written. */
export const FIRST_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE journal_mark (
    id KEY_NUMBER PRIMARY KEY,
    body TEXT NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
  );
  CREATE TABLE journal_stub (
    id KEY_NUMBER PRIMARY KEY,
    body TEXT NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
  );
  CREATE TABLE journal_kept (
    number KEY_NUMBER PRIMARY KEY,
    line TEXT NOT NULL
  );
  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    public_key TEXT NOT NULL,
    first_used NUMBER NOT NULL
  );
  CREATE TABLE definitions (
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    origin TEXT NOT NULL,
    body TEXT NOT NULL,
    first_seen NUMBER NOT NULL,
    last_seen NUMBER NOT NULL,
    PRIMARY KEY (tool, version, hash)
  );
  CREATE TABLE trust (
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    level TEXT NOT NULL,
    set_by TEXT NOT NULL,
    set_at NUMBER NOT NULL,
    PRIMARY KEY (tool, version)
  );
  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    principal TEXT,
    granted_by TEXT NOT NULL,
    granted_at NUMBER NOT NULL,
    expires_at NUMBER,
    revoked_by TEXT,
    revoked_at NUMBER
  );
  CREATE INDEX grants_tool ON grants (tool, version, hash);
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    principal TEXT NOT NULL,
    args TEXT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL,
    requested_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL,
    decided_by TEXT,
    decided_at NUMBER,
    note TEXT,
    used_by TEXT,
    used_at NUMBER
  );
  CREATE INDEX approvals_call ON approvals (tool, args_hash, principal, status);
  CREATE UNIQUE INDEX approvals_waiting ON approvals (tool, version, hash, args_hash, principal) WHERE status = 'waiting';
  CREATE INDEX approvals_status ON approvals (status, requested_at);
  CREATE TABLE once (
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    once_key TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    call_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    started_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL,
    outcome TEXT,
    PRIMARY KEY (principal, tool, once_key)
  );
  CREATE INDEX once_expires ON once (expires_at);
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    status TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at NUMBER NOT NULL,
    updated_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL
  );
  CREATE INDEX tasks_expires ON tasks (expires_at);
  CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    alive_until NUMBER NOT NULL
  );
  CREATE TABLE buckets (
    id TEXT PRIMARY KEY,
    tokens REAL8 NOT NULL,
    filled_at REAL8 NOT NULL
  );
  CREATE TABLE budgets (
    id TEXT PRIMARY KEY,
    spent REAL8 NOT NULL
  );
  `,
  // Runs. A step of a run is a row of 'once': claimed before its tool starts, finished before its result is returned.
  `
  ALTER TABLE once ADD COLUMN run TEXT;
  ALTER TABLE once ADD COLUMN step TEXT;
  ALTER TABLE once ADD COLUMN finished_at NUMBER;
  DROP INDEX once_expires;
  CREATE INDEX once_expires ON once (expires_at) WHERE run IS NULL;
  CREATE INDEX once_run ON once (run) WHERE run IS NOT NULL;
  ALTER TABLE owners ADD COLUMN place TEXT;
  ALTER TABLE owners ADD COLUMN pid NUMBER;
  ALTER TABLE owners ADD COLUMN born TEXT;
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    goal TEXT NOT NULL,
    principal TEXT NOT NULL,
    status TEXT NOT NULL,
    settings TEXT NOT NULL,
    spent REAL8 NOT NULL,
    leader TEXT,
    term NUMBER NOT NULL,
    stopped_by TEXT,
    stop_reason TEXT,
    report TEXT,
    created_at NUMBER NOT NULL,
    updated_at NUMBER NOT NULL,
    ended_at NUMBER
  );
  CREATE INDEX runs_created ON runs (created_at);
  CREATE INDEX runs_open ON runs (status) WHERE ended_at IS NULL;
  CREATE TABLE run_events (
    run TEXT NOT NULL,
    seq NUMBER NOT NULL,
    time NUMBER NOT NULL,
    term NUMBER NOT NULL,
    kind TEXT NOT NULL,
    step TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  );
  CREATE TABLE run_spends (
    run TEXT NOT NULL,
    spend_key TEXT NOT NULL,
    amount REAL8 NOT NULL,
    PRIMARY KEY (run, spend_key)
  );
  CREATE TABLE lessons (
    tool TEXT PRIMARY KEY,
    calls NUMBER NOT NULL,
    failures NUMBER NOT NULL,
    total_ms NUMBER NOT NULL,
    updated_at NUMBER NOT NULL
  );
  `,
  // Tokens that one process has reserved, until when, and how often others asked for them (sqlite/token-buckets.ts).
  `
  ALTER TABLE buckets ADD COLUMN reserved REAL8 NOT NULL DEFAULT 0;
  ALTER TABLE buckets ADD COLUMN reserved_until REAL8 NOT NULL DEFAULT 0;
  ALTER TABLE buckets ADD COLUMN requests NUMBER NOT NULL DEFAULT 0;
  `,
  // A claim changes one page instead of three: no index for runs, none for expiry. The key begins with the run, so its steps are
  // side by side; '' is a call outside a run.
  `
  ALTER TABLE once RENAME TO once_before;
  CREATE TABLE once (
    run TEXT NOT NULL,
    once_key TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    step TEXT,
    args_hash TEXT NOT NULL,
    call_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    started_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL,
    finished_at NUMBER,
    outcome TEXT,
    PRIMARY KEY (run, once_key, principal, tool)
  ) WITHOUT_ROWID;
  INSERT INTO once (run, once_key, principal, tool, step, args_hash, call_id, owner, started_at, expires_at, finished_at, outcome)
  SELECT coalesce(run, ''), once_key, principal, tool, step, args_hash, call_id, owner, started_at, expires_at, finished_at, outcome
  FROM once_before;
  DROP TABLE once_before;
  `,
  // Each claim of a step checks the lease of its run. SQLite reads a row from its beginning, so the lease comes before texts that
  // may fill many pages.
  `
  DROP INDEX runs_created;
  DROP INDEX runs_open;
  ALTER TABLE runs RENAME TO runs_before;
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    leader TEXT,
    term NUMBER NOT NULL,
    status TEXT NOT NULL,
    spent REAL8 NOT NULL,
    created_at NUMBER NOT NULL,
    updated_at NUMBER NOT NULL,
    ended_at NUMBER,
    principal TEXT NOT NULL,
    stopped_by TEXT,
    stop_reason TEXT,
    goal TEXT NOT NULL,
    settings TEXT NOT NULL,
    report TEXT
  );
  INSERT INTO runs (id, leader, term, status, spent, created_at, updated_at, ended_at, principal, stopped_by, stop_reason, goal, settings, report)
  SELECT id, leader, term, status, spent, created_at, updated_at, ended_at, principal, stopped_by, stop_reason, goal, settings, report
  FROM runs_before;
  DROP TABLE runs_before;
  CREATE INDEX runs_created ON runs (created_at);
  CREATE INDEX runs_open ON runs (status) WHERE ended_at IS NULL;
  `,
]
