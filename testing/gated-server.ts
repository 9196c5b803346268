/**
 * Real ledgers for tests of the gates: a SQLite file of one's own, opened as often as wanted, read back through a second
 * connection, broken and repaired on purpose, and gone in the end. And tools that count how often they ran.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
import type { AuditRecord } from '../packages/myrmex/src/ledger/audit/call-record.ts'
import { recordsOf } from '../packages/myrmex/src/ledger/journal/read.ts'
import { segmentOfName } from '../packages/myrmex/src/ledger/journal/segment.ts'
import { journalFolder, type LedgerOptions } from '../packages/myrmex/src/ledger/open.ts'
import { parseConstitution } from '../packages/myrmex/src/pipeline/rules/constitution.ts'
import { parsePolicy } from '../packages/myrmex/src/pipeline/rules/policy.ts'
import type { RpcAnswer } from './mcp-peer.ts'
import { toolDefaults } from './sample-tools.ts'

/** How many bytes of each segment there were. */
export type JournalExtent = Readonly<Record<string, number>>

export class LedgerFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'myrmex-gates-'))
  readonly path = join(this.folder, 'ledger.db')
  /** the folder of its segments */
  readonly journal = journalFolder(this.path)
  readonly #opened: Ledger[] = []

  async remove(): Promise<void> {
    for (const ledger of this.#opened) await ledger.close().catch(() => {})
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Each is like a process of its own: they share nothing but the file. */
  async open(options: LedgerOptions = {}): Promise<Ledger> {
    const ledger = await openLedger(this.path, options)
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

  /** The audit as it is in the files at this moment, chain by chain; all of it, or what came after this extent. */
  lines(after: JournalExtent = {}): AuditRecord[] {
    return this.#segments().flatMap((name) => {
      const groups = readFileSync(join(this.journal, name))
        .subarray(after[name] ?? 0)
        .toString()
        .split(GROUP_END)
      const chain = segmentOfName(name)?.chain ?? ''
      // Bytes after the last whole group are still being written.
      return Array.from({ length: (groups.length - 1) / 2 }, (_, index) => index * 2).flatMap((at) =>
        recordsOf({ lines: groups[at] ?? '', group: Number(groups[at + 1]) }, chain),
      )
    })
  }

  /** Where the journal ends at this moment, for `lines`. */
  extent(): JournalExtent {
    const sizeOf = (name: string): number => {
      const bytes = readFileSync(join(this.journal, name))
      const last = bytes.lastIndexOf('\n{"group":')
      return last === -1 ? 0 : bytes.indexOf('\n', last + 1) + 1
    }
    return Object.fromEntries(this.#segments().map((name) => [name, sizeOf(name)]))
  }

  #segments(): string[] {
    const names = existsSync(this.journal) ? readdirSync(this.journal).sort() : []
    return names.filter((name) => segmentOfName(name) !== undefined)
  }

  /** Every byte of the database, its log and the journal. */
  bytes(): Buffer {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
  }
}

/** The last line of a group. Its number is kept. */
const GROUP_END = /^\{"group":(\d+),"mac":"[\w-]{43}"\}\n/m

export function ledgerFile(): LedgerFile {
  const file = new LedgerFile()
  onTestFinished(() => file.remove())
  return file
}

/**
 * From here on this ledger cannot write to SQLite, so it cannot begin its chain either; others on the same file can. A chain that
 * has begun goes on: call it before the first record.
 */
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
  segments?: LedgerOptions['segments']
}

/** A server of these tools on a ledger of its own. */
export async function serve(counted: readonly CountedTool[], options: ServeOptions = {}): Promise<GatedServer> {
  const { policy = {}, constitution = {}, file = ledgerFile(), methods, segments } = options
  const ledger = await file.open(segments && { segments })
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
  /** the call whose recorded result it repeats */
  repeat_of?: string
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
  const { status, explanation, call_id, repeat_of } = about['myrmex/result']
  return {
    status,
    explanation,
    call_id,
    ...(repeat_of !== undefined && { repeat_of }),
    data: isError ? null : structuredContent,
    error: isError ? structuredContent : null,
  }
}

export const principalNamed = (id: string): Principal => ({ id, kind: 'bearer', scopes: ['*'] })

/** Tries until it holds. The machine may be busy: it is given more time than it should need. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Resolved by hand: for tools that wait until the test lets them go on. */
export function latch(): { open(): void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}
