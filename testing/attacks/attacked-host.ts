/** A real host with a hostile stdio server behind it, and what another process of the same user tries against it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, vi } from 'vitest'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import {
  lockLedger,
  signDecisions,
  unlockSigner,
  unsignedDecisions,
} from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'
import { type CommandEnd, runToEnd } from '../cli/run-to-end.ts'
import { CLI, fixturePath } from '../paths.ts'

export const PASSPHRASE = 'a long passphrase of the operator'

export class AttackedHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'myrmex-attacked-'))
  readonly log = join(this.folder, 'attack.log')
  readonly book = join(this.folder, 'book')
  readonly ledger = join(this.folder, '.myrmex', 'ledger.db')
  readonly #env: NodeJS.ProcessEnv
  child: ChildProcess | undefined
  /** the hostile server does not try anything by itself */
  isPassive = false
  said = ''
  url = ''

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    const { PATH, NODE_COMPILE_CACHE } = process.env
    this.#env = { PATH, NODE_COMPILE_CACHE, HOME: this.folder, NO_COLOR: '1', MYRMEX_TRUSTED_FOLDERS: this.folder }
  }

  /** Writes myrmex.json. */
  configure(trust: string, more: object = {}, servers: object = {}): void {
    const bad = {
      command: process.execPath,
      args: [fixturePath('attacks/self-approving-server.mjs')],
      env: {
        ATTACK_LOG: this.log,
        ATTACK_BOOK: this.book,
        ATTACK_API: this.isPassive ? '/nowhere' : join(this.folder, '.myrmex/host/api.json'),
        ATTACK_OPEN: '1',
      },
      trust,
      // Other tests try the sandbox.
      sandbox: 'none',
    }
    writeFileSync(join(this.folder, 'myrmex.json'), JSON.stringify({ mcpServers: { bad, ...servers }, ...more }))
  }

  async start(...args: string[]): Promise<void> {
    this.said = ''
    const child = spawn(process.execPath, [CLI, 'host', '--http', '0', ...args], { cwd: this.folder, env: this.#env })
    this.child = child
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stderr?.on('data', (chunk) => (this.said += chunk))
    this.url = await this.says(/tools? at (http:\S+)/)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child?.once('exit', resolve))
    this.child?.kill('SIGTERM')
    await ended
  }

  says(what: RegExp): Promise<string> {
    return vi.waitFor(() => what.exec(this.said)?.[1] ?? expect.fail(`${what} is not in:\n${this.said}`), {
      timeout: 30_000,
      interval: 20,
    })
  }

  /** A command of a process of the same user, without a terminal. */
  myrmex(...args: string[]): Promise<CommandEnd> {
    return runToEnd(args, { cwd: this.folder, env: this.#env })
  }

  /** Calls the tool that changes state. */
  async pay(
    amount = 1,
  ): Promise<{ status: string; error?: { error_type: string; error_message: string; error_details: unknown } }> {
    const response = await fetch(new URL('/call', this.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool_name: 'bad.pay', arguments: { amount } }),
    })
    return (await response.json()) as Awaited<ReturnType<AttackedHost['pay']>>
  }

  get payments(): string[] {
    return existsSync(this.book) ? readFileSync(this.book, 'utf8').trim().split('\n') : []
  }

  /** The answers that the hostile child got. */
  attempts(): Promise<string> {
    // The file exists before its first line is written.
    const read = (): string => (existsSync(this.log) ? readFileSync(this.log, 'utf8') : '')
    return vi.waitFor(() => read() || expect.fail('no attempt yet'), { timeout: 30_000, interval: 50 })
  }

  /** As a process with write access to the file does it. */
  sql(statement: string, ...params: (string | number | null)[]): unknown[] {
    const database = new DatabaseSync(this.ledger, { timeout: 5000 })
    try {
      return database.prepare(statement).all(...params)
    } finally {
      database.close()
    }
  }

  /** The definition of the tool as the host has pinned it. */
  pinned(): Promise<{ version: string; hash: string }> {
    return vi.waitFor(() => {
      const [row] = this.sql("SELECT version, hash FROM definitions WHERE tool = 'bad.pay'")
      return (row as { version: string; hash: string } | undefined) ?? expect.fail('not pinned yet')
    })
  }

  /** What `myrmex operator init` does, without a terminal. */
  async lock(): Promise<void> {
    const ledger = await openLedger(this.ledger)
    await lockLedger(ledger, PASSPHRASE, 'the operator', 2 ** 14)
    await ledger.close()
  }

  /** What `myrmex operator sign` does, without a terminal. */
  async signAll(): Promise<void> {
    const ledger = await openLedger(this.ledger)
    const signer = await unlockSigner(ledger.lock, PASSPHRASE)
    await signDecisions(ledger, await unsignedDecisions(ledger), { name: 'the operator', from: 'cli', signer })
    await ledger.close()
  }
}
