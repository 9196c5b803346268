/** Every way to a tool that a server offers, each as a function that tries to call one by it. */

import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { eventually } from '@myrmex/testing/gated-server'
import { post } from '@myrmex/testing/http-server'
import { modernMeta, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import type { StdioChild } from '@myrmex/testing/stdio-child'
import { connectDirect, type HttpListener, type Server } from 'myrmex'
import { expect } from 'vitest'
import { connect } from '../../packages/myrmex/src/client/connect.ts'

/** What the ways lead to. The server has the method agent/act; HTTP wants the token of bob. */
export interface RouteTarget {
  readonly server: Server
  readonly listening: HttpListener
  readonly child: StdioChild
  /** tool files and ledger, for the command */
  readonly tools: string
  readonly ledger: string
  readonly folder: string
  readonly token: string
}

let place: RouteTarget
/** Called before any route is used. */
export const pointRoutesAt = (to: RouteTarget): void => {
  place = to
}
const authorised = () => ({ authorization: `Bearer ${place.token}` })

/** What somebody tries to call. */
export interface RouteAttempt {
  readonly name: string
  /** as it is in the message; left out of it where undefined */
  readonly args?: unknown
  readonly meta?: Record<string, unknown>
}

export interface Route {
  readonly transport: 'direct' | 'stdio' | 'http'
  readonly principal: 'local' | 'bob'
  /** it carries no metadata of the caller's choice */
  readonly plain?: true
  /** a client on this route does not pass odd names and arguments on */
  readonly strict?: true
  /** the names that can be tried, if not all */
  readonly names?: readonly string[]
  /** it can be given a task */
  readonly isTask?: true
  /** something else makes the call on the caller's behalf */
  readonly isCaller?: true
  /** the tool or method that does so, and leaves a line of its own */
  readonly through?: string
  go(attempt: RouteAttempt): Promise<unknown>
}

let count = 0
const callOf = ({ name, args, meta: own }: RouteAttempt, dress: (own: object) => object = (given) => given) => ({
  name,
  ...(args !== undefined && { arguments: args }),
  _meta: dress({ ...own }),
})
const modernly = (own: object): object => modernMeta({}, own)
const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: ++count, method, params })

const OPENING = { capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }

/** A legacy connection in this process. */
async function opened(protocolVersion: string) {
  const connection = connectDirect(place.server)
  await connection.send(request('initialize', { protocolVersion, ...OPENING }))
  return connection
}

/** A legacy session over HTTP. */
async function session(protocolVersion: string): Promise<Record<string, string>> {
  const got = await post(place.listening.url, request('initialize', { protocolVersion, ...OPENING }), authorised())
  return {
    ...authorised(),
    'mcp-session-id': String(got.headers['mcp-session-id']),
    'mcp-protocol-version': protocolVersion,
  }
}

const postModern = (method: string, params: object, name?: string) =>
  post(place.listening.url, request(method, params), {
    ...authorised(),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  })

const origin = (): string => new URL(place.listening.url).origin
const toolCall = ({ name, args }: RouteAttempt) => ({ tool_name: name, arguments: args })
const viaTool = (through: string) => ({
  transport: 'direct' as const,
  principal: 'local' as const,
  plain: true as const,
  isCaller: true as const,
  through,
  go: async ({ name, args }: RouteAttempt) =>
    (await opened('2025-11-25')).send(request('tools/call', { name: through, arguments: { name, args: args ?? {} } })),
})

/** Whoever speaks tasks may be given one that waits for a human. It gives up, so that the call has an end. */
async function asTask(attempt: RouteAttempt): Promise<unknown> {
  const connection = connectDirect(place.server)
  const dress = (own: object): object => modernMeta(TASKS_CAPABILITY, own)
  const reply = (await connection.send(request('tools/call', callOf(attempt, dress)))) as {
    result?: { taskId?: string }
  }
  const taskId = reply.result?.taskId
  if (taskId === undefined) return reply
  await connection.send(request('tasks/cancel', { taskId, _meta: dress({}) }))
  await eventually(async () => {
    const { result } = (await connection.send(request('tasks/get', { taskId, _meta: dress({}) }))) as {
      result: { status: string }
    }
    expect(result.status).toBe('cancelled')
  })
  return reply
}

const overStdio = async (attempt: RouteAttempt, dress?: (own: object) => object): Promise<unknown> => {
  const message = request('tools/call', callOf(attempt, dress))
  place.child.send(message)
  return place.child.answer(message.id)
}

export const ROUTES: Record<string, Route> = {
  'a legacy client in this process': {
    transport: 'direct',
    principal: 'local',
    go: async (attempt) => (await opened('2025-11-25')).send(request('tools/call', callOf(attempt))),
  },
  'a modern client in this process': {
    transport: 'direct',
    principal: 'local',
    go: async (attempt) => connectDirect(place.server).send(request('tools/call', callOf(attempt, modernly))),
  },
  'a client that speaks tasks': { transport: 'direct', principal: 'local', isTask: true, go: asTask },
  'the official client': {
    transport: 'direct',
    principal: 'local',
    plain: true,
    strict: true,
    go: async ({ name, args }) => {
      const connection = await connect(place.server)
      const result = await connection.call(name, args as Record<string, unknown>)
      await connection.close()
      return result
    },
  },
  'a JSON-RPC batch': {
    transport: 'direct',
    principal: 'local',
    go: async (attempt) => (await opened('2025-03-26')).send([request('tools/call', callOf(attempt))]),
  },
  'myrmex/batch': {
    transport: 'direct',
    principal: 'local',
    go: async (attempt) => (await opened('2025-11-25')).send(request('myrmex/batch', { calls: [callOf(attempt)] })),
  },
  'a method of one’s own': {
    transport: 'direct',
    principal: 'local',
    isCaller: true,
    through: 'method:agent/act',
    go: async ({ name, args, meta: own }) =>
      (await opened('2025-11-25')).send(request('agent/act', { name, args: args ?? {}, _meta: { ...own } })),
  },
  'ctx.call from a safe tool': viaTool('vault.safe_caller'),
  'ctx.call from a trusted tool': viaTool('vault.trusted_caller'),
  'stdio, legacy': { transport: 'stdio', principal: 'local', go: (attempt) => overStdio(attempt) },
  'stdio, modern': { transport: 'stdio', principal: 'local', go: (attempt) => overStdio(attempt, modernly) },
  'HTTP, modern': {
    transport: 'http',
    principal: 'bob',
    strict: true,
    go: (attempt) => postModern('tools/call', callOf(attempt, modernly), attempt.name),
  },
  'HTTP, a legacy session': {
    transport: 'http',
    principal: 'bob',
    go: async (attempt) =>
      post(place.listening.url, request('tools/call', callOf(attempt)), await session('2025-11-25')),
  },
  'HTTP, the oldest session': {
    transport: 'http',
    principal: 'bob',
    go: async (attempt) =>
      post(place.listening.url, request('tools/call', callOf(attempt)), await session('2024-11-05')),
  },
  'HTTP, a JSON-RPC batch': {
    transport: 'http',
    principal: 'bob',
    go: async (attempt) =>
      post(place.listening.url, [request('tools/call', callOf(attempt))], await session('2025-03-26')),
  },
  'HTTP, myrmex/batch': {
    transport: 'http',
    principal: 'bob',
    go: (attempt) => postModern('myrmex/batch', { calls: [callOf(attempt)], _meta: modernMeta() }),
  },
  'HTTP, a method of one’s own': {
    transport: 'http',
    principal: 'bob',
    isCaller: true,
    through: 'method:agent/act',
    go: ({ name, args, meta: own }) =>
      send(request('agent/act', { name, args: args ?? {}, _meta: modernMeta({}, own) })),
  },
  'POST /call': {
    transport: 'http',
    principal: 'bob',
    plain: true,
    names: ['vault.erase'],
    go: (attempt) => post(`${origin()}/call`, toolCall(attempt), authorised()),
  },
  'POST /batch': {
    transport: 'http',
    principal: 'bob',
    plain: true,
    names: ['vault.erase'],
    go: (attempt) => post(`${origin()}/batch`, { calls: [toolCall(attempt)] }, authorised()),
  },
  'myrmex call --file': {
    transport: 'direct',
    principal: 'local',
    plain: true,
    strict: true,
    names: ['erase'],
    go: (attempt) => command(attempt, '--file', place.tools, '--ledger', place.ledger),
  },
  'myrmex call --url': {
    transport: 'http',
    principal: 'bob',
    plain: true,
    strict: true,
    names: ['vault_erase'],
    go: (attempt) => command(attempt, '--url', place.listening.url),
  },
}

/** The command as people type it. */
async function command({ name, args }: RouteAttempt, ...to: string[]): Promise<unknown> {
  const env = { ...process.env, NO_COLOR: '1', MYRMEX_TOKEN: place.token }
  const { stdout, stderr } = await runToEnd(['call', name, JSON.stringify(args ?? {}), ...to], {
    env,
    cwd: place.folder,
  })
  return { stdout, stderr }
}

/** A method that is not the protocol's: nobody has a schema to judge it by. */
async function send(message: object): Promise<unknown> {
  const headers = { ...authorised(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify(message)
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'agent/act' }
  const got = await fetch(place.listening.url, { method: 'POST', headers: { ...headers, ...modern }, body })
  return got.text()
}
