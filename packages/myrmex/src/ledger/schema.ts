/**
 * The tables, as forward-only migrations. A migration that has shipped is never edited: add another. The text is for both
 * engines; KEY_NUMBER, NUMBER and REAL8 are replaced by the types of each engine, WITHOUT_ROWID by what SQLite calls a table that is
 * its own index.
 */
import { FIRST_MIGRATIONS } from './first-migrations.ts'

export const MIGRATIONS: readonly string[] = [
  ...FIRST_MIGRATIONS,
  // Changes of upstream definitions that the host accepted by itself (decisions/accepted-changes.ts).
  `
  CREATE TABLE accepted_changes (
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    decided TEXT NOT NULL,
    grade TEXT NOT NULL,
    accepted_at NUMBER NOT NULL,
    PRIMARY KEY (tool, version, hash, decided)
  );
  `,
  // Calls that can be undone, with all that their undo needs (undoable-calls.ts).
  `
  CREATE TABLE undoable_calls (
    call_id TEXT PRIMARY KEY,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    run TEXT,
    step TEXT,
    created_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL,
    undo_call TEXT,
    undo_owner TEXT,
    undo_started_at NUMBER,
    outcome TEXT,
    body TEXT NOT NULL
  );
  CREATE INDEX undoable_expires ON undoable_calls (expires_at);
  `,
  // Signatures of the operator on rows that can raise rights, and the keys that the ledger was locked with (operator/).
  `
  ALTER TABLE trust ADD COLUMN signed_by TEXT;
  ALTER TABLE trust ADD COLUMN signature TEXT;
  ALTER TABLE grants ADD COLUMN signed_by TEXT;
  ALTER TABLE grants ADD COLUMN signature TEXT;
  ALTER TABLE approvals ADD COLUMN signed_by TEXT;
  ALTER TABLE approvals ADD COLUMN signature TEXT;
  CREATE TABLE operators (
    key_id TEXT PRIMARY KEY,
    public_key TEXT NOT NULL,
    set_by TEXT NOT NULL,
    set_at NUMBER NOT NULL,
    retired_by TEXT,
    retired_at NUMBER
  );
  `,
  // Which waiting approvals were announced to which channel (approval-notices.ts).
  `
  CREATE TABLE approval_notices (
    approval TEXT NOT NULL,
    channel TEXT NOT NULL,
    attempts NUMBER NOT NULL,
    claimed_at NUMBER NOT NULL,
    next_at NUMBER NOT NULL,
    sent_at NUMBER,
    PRIMARY KEY (approval, channel)
  );
  CREATE INDEX approval_notices_due ON approval_notices (channel, next_at) WHERE sent_at IS NULL;
  `,
  // Tokens of callers (decisions/tokens.ts) and the operator's switches (decisions/switches.ts). No row has a token, only its hash.
  `
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    profile TEXT,
    scopes TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at NUMBER NOT NULL,
    expires_at NUMBER,
    revoked_by TEXT,
    revoked_at NUMBER,
    ends_at NUMBER,
    signed_by TEXT,
    signature TEXT,
    last_used_at NUMBER
  );
  CREATE UNIQUE INDEX tokens_sha256 ON tokens (sha256);
  CREATE TABLE switches (
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    set_by TEXT NOT NULL,
    set_at NUMBER NOT NULL,
    signed_by TEXT,
    signature TEXT,
    PRIMARY KEY (name, profile)
  );
  `,
  // People who sign in (sign-in/): users are decisions; what they prove themselves with, and what the embedded issuer keeps, is not.
  `
  CREATE TABLE users (
    name TEXT PRIMARY KEY,
    display_name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    profile TEXT,
    status TEXT NOT NULL,
    tokens_after NUMBER NOT NULL,
    created_by TEXT NOT NULL,
    created_at NUMBER NOT NULL,
    set_by TEXT NOT NULL,
    set_at NUMBER NOT NULL,
    decided_by TEXT NOT NULL,
    decided_at NUMBER NOT NULL,
    signed_by TEXT,
    signature TEXT
  );
  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    user_name TEXT NOT NULL,
    secret_mac TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at NUMBER NOT NULL,
    expires_at NUMBER NOT NULL,
    used_at NUMBER
  );
  CREATE INDEX invitations_user ON invitations (user_name);
  CREATE TABLE user_credentials (
    id TEXT PRIMARY KEY,
    user_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at NUMBER NOT NULL
  );
  CREATE INDEX user_credentials_user ON user_credentials (user_name);
  CREATE TABLE issuer_records (
    kind TEXT NOT NULL,
    id_hash TEXT NOT NULL,
    grant_hash TEXT,
    uid_hash TEXT,
    user_name TEXT,
    body TEXT NOT NULL,
    consumed_at NUMBER,
    expires_at NUMBER,
    PRIMARY KEY (kind, id_hash)
  );
  CREATE INDEX issuer_records_grant ON issuer_records (grant_hash);
  CREATE INDEX issuer_records_user ON issuer_records (user_name);
  CREATE INDEX issuer_records_expires ON issuer_records (expires_at);
  `,
  // The texts of pages of apps, compressed (pages.ts).
  `
  CREATE TABLE pages (
    tool TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    seen_at NUMBER NOT NULL,
    PRIMARY KEY (tool, hash)
  );
  `,
  // The version that the server of a definition reported when the definition was last seen (tool/server-version.ts). Nothing is decided by it.
  `
  ALTER TABLE definitions ADD COLUMN server_version TEXT;
  `,
  // What the client that asked for an approval says that it is (audit/recorded-client.ts).
  `
  ALTER TABLE approvals ADD COLUMN client TEXT;
  `,
  // Approvals whose arguments the operator changed: the changed ones as people read them, and their hash. `editable`: 1 if that is possible.
  `
  ALTER TABLE approvals ADD COLUMN editable NUMBER;
  ALTER TABLE approvals ADD COLUMN edited_args TEXT;
  ALTER TABLE approvals ADD COLUMN edited_hash TEXT;
  `,
  // Signing in to servers behind a host: who did when (decisions/sign-ins.ts), and the encrypted tokens (upstream-tokens.ts).
  `
  CREATE TABLE sign_ins (
    id TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    principal TEXT NOT NULL,
    issuer TEXT NOT NULL,
    scopes TEXT NOT NULL,
    signed_in_by TEXT NOT NULL,
    signed_in_at NUMBER NOT NULL,
    signed_out_by TEXT,
    signed_out_at NUMBER
  );
  CREATE INDEX sign_ins_server ON sign_ins (server, principal);
  CREATE TABLE upstream_tokens (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    server TEXT NOT NULL,
    principal TEXT NOT NULL,
    issuer TEXT NOT NULL,
    revision NUMBER NOT NULL,
    dead TEXT,
    refreshing_until NUMBER NOT NULL,
    updated_at NUMBER NOT NULL,
    body TEXT NOT NULL
  );
  `,
  // When the server of a definition was first seen to list it no longer; NULL: it lists it (decisions/listed-definitions.ts).
  `
  ALTER TABLE definitions ADD COLUMN gone_at NUMBER;
  `,
]

/** A migration with the types of one engine. */
export const forEngine = (
  step: string,
  words: Readonly<Record<'KEY_NUMBER' | 'NUMBER' | 'REAL8' | 'WITHOUT_ROWID', string>>,
): string => step.replace(/KEY_NUMBER|NUMBER|REAL8|WITHOUT_ROWID/g, (word) => words[word as keyof typeof words])
