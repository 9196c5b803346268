/**
 * Real ledgers for tests of the gates: a SQLite file of one's own, opened as often as wanted, read back through a second
 * connection, broken and repaired on purpose, and gone in the end. And tools that count how often they ran.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  connectDirect,
  createServer,
  type Ledger,
  openLedger,
  type Principal,
  type Server,
  type ServerOptions,
  type Tool,
  tool,
} from 'myrmex'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import type { GroupRow } from '../packages/myrmex/src/ledger/audit/chain.ts'
import { type AuditRecord, recordsOf } from '../packages/myrmex/src/ledger/audit/read.ts'
import { parseConstitution } from '../packages/myrmex/src/pipeline/rules/constitution.ts'
import { parsePolicy } from '../packages/myrmex/src/pipeline/rules/policy.ts'
import type { RpcAnswer } from './mcp-peer.ts'
import { toolDefaults } from './sample-tools.ts'

export class LedgerFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'myrmex-gates-'))
  readonly path = join(this.folder, 'ledger.db')
  readonly #opened: Ledger[] = []

  async remove(): Promise<void> {
    for (const ledger of this.#opened) await ledger.close().catch(() => {})
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Each is like a process of its own: they share nothing but the file. */
  async open(): Promise<Ledger> {
    const ledger = await openLedger(this.path)
    this.#opened.push(ledger)
    return ledger
  }

  /** On a connection of its own: what it finds is in the file. */
  rows<Row = Record<string, unknown>>(sql: string, ...values: SQLInputValue[]): Row[] {
    const database = new DatabaseSync(this.path, { timeout: 2000 })
    try {
      return database.prepare(sql).all(...values) as Row[]
    } finally {
      database.close()
    }
  }

  exec(sql: string): void {
    const database = new DatabaseSync(this.path, { timeout: 2000 })
    try {
      database.exec(sql)
    } finally {
      database.close()
    }
  }

  /** The audit as it is in the file at this moment; all of it, or what came after the line of this number. */
  lines(after = 0): AuditRecord[] {
    const sql = 'SELECT first_line, lines FROM audit_groups WHERE first_line + line_count - 1 > ? ORDER BY seq'
    return this.rows<GroupRow>(sql, after)
      .flatMap(recordsOf)
      .filter(({ line }) => line > after)
  }

  /** Every byte of the database, its log and its index. */
  bytes(): Buffer {
    return Buffer.concat(readdirSync(this.folder).map((name) => readFileSync(join(this.folder, name))))
  }
}

export function ledgerFile(): LedgerFile {
  const file = new LedgerFile()
  onTestFinished(() => file.remove())
  return file
}

/** From here on this ledger cannot write, as on a disk that was mounted read-only; others on the same file can. */
export const stopWriting = (ledger: Ledger): void => void ledger.db.query('PRAGMA query_only = 1')
export const writeAgain = (ledger: Ledger): void => void ledger.db.query('PRAGMA query_only = 0')

export interface GatedServer {
  readonly file: LedgerFile
  readonly ledger: Ledger
  readonly server: Server
}

interface ServeOptions extends Pick<ServerOptions, 'methods'> {
  /** as it is in the policy file */
  policy?: object
  /** as it is in the constitution's file */
  constitution?: object
  /** one that is there already: what is served on it is like another process, or one after a restart */
  file?: LedgerFile
}

/** A server of these tools on a ledger of its own. */
export async function serve(counted: readonly CountedTool[], options: ServeOptions = {}): Promise<GatedServer> {
  const { policy = {}, constitution = {}, file = ledgerFile(), methods } = options
  const ledger = await file.open()
  const server = createServer({
    name: 'gated',
    version: '1.0.0',
    tools: counted.map(({ tool }) => tool),
    ledger,
    policy: parsePolicy(policy),
    constitution: parseConstitution(constitution),
    observe: () => {},
    ...(methods && { methods }),
  })
  return { file, ledger, server }
}

export interface CountedTool {
  readonly tool: Tool
  /** the inputs it ran with, in order */
  readonly ran: { n?: number; text?: string }[]
}

type Changes = Partial<Parameters<typeof tool>[0]>

const INPUT = z.object({ n: z.number().optional(), text: z.string().optional() })

/** A tool that writes down every run. Safe by default. */
export function countedTool(name: string, changes: Changes = {}, origin?: Tool['origin']): CountedTool {
  const ran: CountedTool['ran'] = []
  const { run = () => ({}), ...rest } = changes
  const definition = {
    ...toolDefaults,
    name,
    input: INPUT,
    output: z.looseObject({}),
    run: (input: unknown, ctx: never) => {
      ran.push(input as CountedTool['ran'][number])
      return run(input as never, ctx)
    },
    ...rest,
  }
  return { tool: tool(definition as Parameters<typeof tool>[0], origin), ran }
}

/** One that changes state, and may not safely run twice. */
export const destructiveTool = (name: string, changes: Changes = {}, origin?: Tool['origin']): CountedTool =>
  countedTool(name, { destructive: true, idempotent: false, ...changes }, origin)

/** One that gives another number every time it runs, so that a second run shows; it may not safely run twice. */
export function numberTool(changes: Changes = {}, name = 'shop.number'): CountedTool {
  let run = 0
  return countedTool(name, { idempotent: false, run: () => ({ run: ++run }), ...changes })
}

export const definitionOf = ({ name, version, hash }: Tool) => ({ tool: name, version, hash })

export const trust = (ledger: Ledger, { tool }: CountedTool): Promise<void> =>
  ledger.trust.set(definitionOf(tool), 'trusted', 'ada')

/** Trusted, and with a standing grant for everybody. */
export async function grant(ledger: Ledger, counted: CountedTool): Promise<string> {
  await trust(ledger, counted)
  return (await ledger.grants.give(definitionOf(counted.tool), 'ada')).id
}

export type CallOutcome = {
  status: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  data: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into errors of every shape
  error: { error_type: string; error_message: string; error_details: any } | null
  explanation: string | null
  call_id: string
}

/** One tool that changes state, trusted, and covered by no grant. */
export async function serveRefundTool(
  changes: Parameters<typeof destructiveTool>[1] = {},
  policy: object = {},
): Promise<GatedServer & { refund: CountedTool }> {
  const refund = destructiveTool('shop.refund', { input: z.looseObject({}), ...changes })
  const served = await serve([refund], { policy })
  await trust(served.ledger, refund)
  return { refund, ...served }
}

/** The approval that a refused call waits for. */
export function approvalOf({ error }: CallOutcome): string {
  const { approval, status } = error?.error_details ?? {}
  if (error?.error_type === 'PermissionError' && status === 'waiting') return approval
  throw new Error(`It waits for nobody: ${JSON.stringify(error)}`)
}

let count = 0

export interface CallOptions {
  key?: unknown
  meta?: object
  principal?: Principal
}

/** One `tools/call` of a legacy peer on a connection of its own, and what came of it. */
export async function call(
  server: Server,
  name: string,
  args: object = {},
  options: CallOptions = {},
): Promise<CallOutcome> {
  const { key, principal, meta } = options
  const connection = connectDirect(server, () => {}, principal)
  const clientInfo = { name: 'test', version: '1.0.0' }
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  await connection.send({ jsonrpc: '2.0', id: ++count, method: 'initialize', params: opening })
  const _meta = { ...(key !== undefined && { 'myrmex/idempotencyKey': key }), ...meta }
  const params = { name, arguments: args, _meta }
  const reply = await connection.send({ jsonrpc: '2.0', id: ++count, method: 'tools/call', params })
  const { result, error } = reply as RpcAnswer
  if (result === undefined) throw new Error(error?.message)
  const { structuredContent, isError, _meta: about } = result
  const { status, explanation, call_id } = about['myrmex/result']
  return {
    status,
    explanation,
    call_id,
    data: isError ? null : structuredContent,
    error: isError ? structuredContent : null,
  }
}

export const principalNamed = (id: string): Principal => ({ id, kind: 'bearer' })

/** Tries until it holds. The machine may be busy: it is given more time than it should need. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Resolved by hand: for tools that wait until the test lets them go on. */
export function latch(): { open(): void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}
