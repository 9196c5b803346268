/**
 * A server behind the host that adds numbers until a message makes it fail in one of many ways. It writes the protocol by hand, so that
 * it starts quickly, and it has child processes, which must not outlive it.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { a: number; b: number; how: string } }
}

const number = { type: 'number' }
const TOOLS = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
  },
  {
    name: 'fail',
    description: 'Goes wrong.',
    inputSchema: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
  },
]

/** from here on it reads and says nothing */
let isMute = false

const say = (message: object): void => {
  if (!isMute) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const WAYS: Readonly<Record<string, (id: Message['id']) => void>> = {
  exit: () => process.exit(3),
  throw: () => {
    setImmediate(() => {
      throw new Error('the upstream has a bug')
    })
  },
  half: (id) => {
    const whole = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })
    process.stdout.write(whole.slice(0, whole.length / 2), () => process.exit(0))
  },
  garbage: () => {
    process.stdout.write(`${'\u0000not JSON\u001b[31m\n'.repeat(5000)}{"jsonrpc":"2.0"`, () => process.exit(0))
  },
  flood: (id) => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n`
    process.stdout.write(line.repeat(2000), () => process.exit(1))
  },
  loop: () => {
    for (;;);
  },
  mute: () => {
    isMute = true
  },
}

function call({ id, params }: Message): void {
  const { a = 0, b = 0, how = '' } = params?.arguments ?? {}
  if (params?.name === 'fail') WAYS[how]?.(id)
  else say({ id, result: { content: [{ type: 'text', text: JSON.stringify({ sum: a + b, pid: process.pid }) }] } })
}

function answer(message: Message): void {
  const { id, method } = message
  if (id === undefined) return
  if (method === 'tools/call') call(message)
  else if (method === 'initialize') {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'adder', version: '1.0.0' },
    }
    say({ id, result })
  } else if (method === 'tools/list') say({ id, result: { tools: TOOLS } })
  else if (method === 'ping') say({ id, result: {} })
  else say({ id, error: { code: -32601, message: `Method not found: ${method}` } })
}

// Its pipes are closed to them, so that nothing ends them by chance.
spawn('/bin/sh', ['-c', 'sleep 1000 & wait'], { stdio: 'ignore' }).unref()
createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line) as Message))
process.stdin.on('end', () => process.exit(0))
