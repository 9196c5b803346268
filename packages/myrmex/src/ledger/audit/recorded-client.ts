/** The client of a call, as it describes itself, for records and approvals. */

export interface RecordedClient {
  /** null: it said none */
  readonly name: string | null
  readonly version: string | null
  /** an id of its session, which is no credential; null: it has none */
  readonly session: string | null
}

/** `claude-desktop 1.2, session k3v9…` */
export function describeClient({ name, version, session }: RecordedClient): string {
  const said =
    name === null ? 'a client without a name' : `${JSON.stringify(name)}${version === null ? '' : ` ${version}`}`
  return session === null ? said : `${said}, session ${session}`
}
