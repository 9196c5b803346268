/**
 * The operator's switches: one stops every call, one allows only what changes nothing, for the whole host or for one profile. Switching
 * protection on needs no signature. Switching it off raises rights: in a locked ledger only a signed decision does that. A process that
 * has seen a switch on keeps it on until it sees such a decision, whatever somebody does to the store.
 */
import { type Decider, deciderName } from '../journal/decision.ts'
import { type RowSignature, UNSIGNED } from '../operator/signed-row.ts'
import { DecisionStore } from './decision-store.ts'

export type SwitchName = 'stop' | 'read_only'

export interface SwitchRow extends RowSignature {
  readonly name: SwitchName
  /** '': the whole host */
  readonly profile: string
  readonly state: 'on' | 'off'
  readonly reason: string
  readonly set_by: string
  readonly set_at: number
}

const COLUMNS = 'name, profile, state, reason, set_by, set_at, signed_by, signature'

/** What is switched on now. Gates read it for every call: `isOn` first. */
export interface SwitchState {
  /** something is on */
  isOn: boolean
  stop: SwitchRow | undefined
  readOnly: SwitchRow | undefined
  /** by profile */
  readOnlyProfiles: ReadonlyMap<string, SwitchRow>
}

export const nothingSwitched = (): SwitchState => ({
  isOn: false,
  stop: undefined,
  readOnly: undefined,
  readOnlyProfiles: new Map(),
})

/** Why a caller with this profile may call only what changes nothing. */
export const readOnlyFor = (state: SwitchState, profile: string | undefined): SwitchRow | undefined =>
  state.readOnly ?? (profile === undefined ? undefined : state.readOnlyProfiles.get(profile))

const ATTEMPTS = 20

export class Switches extends DecisionStore {
  protected readonly table = 'switches'
  /** the same object for the life of this store */
  readonly state: SwitchState = nothingSwitched()
  readonly #on = new Map<string, SwitchRow>()
  readonly #listeners = new Set<(state: SwitchState) => void>()

  /** Calls the listener after every change, whichever process made it. */
  onChange(listener: (state: SwitchState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the row as it is now, and whether that changed anything. `profile` is '' for the whole host. */
  async set(
    name: SwitchName,
    profile: string,
    state: 'on' | 'off',
    by: Decider,
    reason = '',
  ): Promise<{ readonly row: SwitchRow | undefined; readonly isNew: boolean }> {
    if (state === 'off') this.lock.requireSigner(by)
    await this.refresh()
    for (let attempt = 1; ; attempt++) {
      const before = await this.#read(name, profile)
      const isKnownOn = this.#on.has(keyOf({ name, profile }))
      if (state === 'off' && !isKnownOn && (before === undefined || before.state === 'off'))
        return { row: before, isNew: false }
      // A row that was removed or set back is decided about again.
      if (state === 'on' && before?.state === 'on' && before.reason === reason) return { row: before, isNew: false }
      const last = Math.max(before?.set_at ?? 0, this.#on.get(keyOf({ name, profile }))?.set_at ?? 0)
      const set_at = Math.max(await this.clock(), last + 1)
      const row = { name, profile, state, reason, set_by: deciderName(by), set_at }
      const signed = state === 'off' ? this.lock.sign('switches', row, by) : UNSIGNED
      const [made] = await this.decide<SwitchRow>(
        state === 'on' ? 'switch on' : 'switch off',
        by,
        `INSERT INTO switches (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name, profile) DO UPDATE SET state = excluded.state, reason = excluded.reason, set_by = excluded.set_by,
           set_at = excluded.set_at, signed_by = excluded.signed_by, signature = excluded.signature
         WHERE switches.set_at < excluded.set_at RETURNING ${COLUMNS}`,
        [...Object.values(row), signed.signed_by, signed.signature],
      )
      await this.refresh()
      if (made !== undefined) return { row: made, isNew: true }
      if (attempt === ATTEMPTS) throw new Error(`the switch ${name} is changed all the time`)
    }
  }

  async list(): Promise<SwitchRow[]> {
    return await this.db.query<SwitchRow>(`SELECT ${COLUMNS} FROM switches ORDER BY name, profile`)
  }

  /** Resolves when calls are no longer stopped, or the signal aborts. */
  async resumed(signal: AbortSignal): Promise<void> {
    if (this.state.stop === undefined || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stop()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.onChange(({ stop: row }) => row === undefined && done())
      signal.addEventListener('abort', done, { once: true })
    })
  }

  /** Reads the switches again. */
  async refresh(): Promise<void> {
    const rows = await this.list()
    const before = JSON.stringify([...this.#on.values()])
    for (const row of rows) {
      const known = this.#on.get(keyOf(row))
      if (row.state === 'on') {
        if (known === undefined || known.set_at < row.set_at) this.#on.set(keyOf(row), row)
      } else if (known !== undefined && row.set_at > known.set_at && this.lock.accepts('switches', row)) {
        this.#on.delete(keyOf(row))
      }
    }
    if (JSON.stringify([...this.#on.values()]) === before) return
    const on = [...this.#on.values()]
    this.state.stop = on.find(({ name, profile }) => name === 'stop' && profile === '')
    this.state.readOnly = on.find(({ name, profile }) => name === 'read_only' && profile === '')
    this.state.readOnlyProfiles = new Map(
      on.flatMap((row) => (row.name === 'read_only' && row.profile !== '' ? [[row.profile, row] as const] : [])),
    )
    this.state.isOn = on.length > 0
    for (const listener of this.#listeners) listener(this.state)
  }

  async #read(name: SwitchName, profile: string): Promise<SwitchRow | undefined> {
    return this.first<SwitchRow>(`SELECT ${COLUMNS} FROM switches WHERE name = ? AND profile = ?`, [name, profile])
  }
}

const keyOf = ({ name, profile }: Pick<SwitchRow, 'name' | 'profile'>): string => `${name} ${profile}`
