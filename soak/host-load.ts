/**
 * The clients of the host over HTTP: calls in both eras, bad input, clients that vanish in the middle, calls that wait for a person. Healthy
 * servers lose no call; a server that was killed is reported as unavailable and in no other way.
 */
import { request } from 'node:http'
import { hostAnswerOf } from '../crash/host/call-result.ts'
import { Calls } from '../crash/host/calls.ts'
import type { SeededRandom } from '../crash/seeded-random.ts'
import type { Response } from '../crash/server/connection.ts'
import { HttpConnection } from '../crash/server/http-connection.ts'
import { hostileLine } from '../fuzz/generate/hostile-message.ts'
import type { Ledger } from '../packages/myrmex/src/ledger/ledger.ts'
import type { Tally } from './tally.ts'

export interface LoadOptions {
  readonly url: string
  readonly steady: readonly string[]
  readonly victims: readonly string[]
  /** its tools need an approval for each call */
  readonly asking: string
  /** on which a person decides, beside the host */
  readonly ledger: Ledger
  readonly tally: Tally
}

const MOST_UNDECIDED = 200

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const LISTEN = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

export class HostLoad {
  readonly #options: LoadOptions
  readonly #calls: Calls
  readonly #legacy: HttpConnection
  /** of each victim, the process that answered last */
  readonly victimPids = new Map<string, number>()
  /** requests that nobody has decided yet, the oldest first */
  readonly #undecided: string[] = []
  #count = 0

  constructor(options: LoadOptions) {
    this.#options = options
    this.#calls = new Calls(options.url)
    this.#legacy = new HttpConnection(new URL(options.url).origin, 'legacy', () => {})
  }

  async open(): Promise<void> {
    await this.#legacy.greet()
  }

  /** Closes idle connections, so that the host can be measured. */
  letGo(): void {
    this.#calls.letGo()
  }

  /** Acts until the signal is aborted. What it began it finishes. */
  async run(random: SeededRandom, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const kind = random.between(0, 999)
      if (kind < 10) await this.#badInput(random)
      else if (kind < 40) await this.#vanish(random)
      else if (kind < 60) await this.#approval(random)
      else if (kind < 250) await this.#victimCall(random)
      else await this.#steadyCall(random)
    }
  }

  async #steadyCall(random: SeededRandom): Promise<void> {
    const { steady, tally } = this.#options
    const [a, b] = [this.#count++, random.between(0, 1000)]
    const name = `${random.pick(steady)}.add`
    const response = random.often(0.2)
      ? await this.#legacy.ask({ method: 'tools/call', params: { name, arguments: { a, b } } })
      : await this.#calls.call(name, { a, b })
    tally.count('calls of healthy servers')
    tally.answer(response)
    const answer = hostAnswerOf(response)
    if (!('sum' in answer) || answer.sum !== a + b) tally.problem(`${name} ${a} ${b}: ${JSON.stringify(answer)}`)
  }

  async #victimCall(random: SeededRandom): Promise<void> {
    const { victims, tally } = this.#options
    const victim = random.pick(victims)
    const response = await this.#calls.call(`${victim}.add`, { a: 1, b: 2 })
    tally.answer(response)
    const answer = hostAnswerOf(response)
    if ('wrong' in answer && !isBroken(response)) tally.problem(`${victim}: ${answer.wrong}`)
    if ('pid' in answer) this.victimPids.set(victim, answer.pid)
    tally.count('sum' in answer ? 'calls of crashing servers' : 'of these, while they were down')
  }

  /** Any bytes as a body: the host answers, and not with a fault. */
  async #badInput(random: SeededRandom): Promise<void> {
    const { url, tally } = this.#options
    const body = hostileLine(random.often(0.5) ? 'modern' : 'legacy', random, this.#count++, 0)
    const status = await new Promise<number>((resolve) => {
      const outgoing = request(url, { method: 'POST', headers: HEADERS }, (response) => {
        resolve(response.statusCode ?? 0)
        // A stream may stay open.
        response.on('error', () => {}).destroy()
      })
      outgoing.on('error', () => resolve(-1))
      outgoing.end(body)
    })
    tally.count('bad messages')
    if (status < 200 || status >= 500) tally.problem(`bad input got status ${status}: ${body.toString().slice(0, 300)}`)
  }

  /** Leaves while a call runs, or while a stream is open. */
  #vanish(random: SeededRandom): Promise<void> {
    const { url, steady, tally } = this.#options
    const name = `${random.pick(steady)}.add`
    const listens = random.often(0.5)
    const method = listens ? LISTEN.method : 'tools/call'
    const params = { name, arguments: { a: 1, b: 1 }, _meta: LISTEN.params._meta }
    const body = listens ? LISTEN : { jsonrpc: '2.0', id: 1, method, params }
    const headers = {
      ...HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(!listens && { 'mcp-name': name }),
    }
    tally.count('clients that vanished')
    return new Promise((resolve) => {
      const outgoing = request(url, { method: 'POST', headers }, (response) => response.on('error', () => {}).resume())
      outgoing.on('error', () => {}).on('close', () => resolve())
      outgoing.end(JSON.stringify(body))
      setTimeout(() => outgoing.destroy(), random.between(0, 20))
    })
  }

  /** A call that waits for a person. It is approved and called again, denied, or left as it is. */
  async #approval(random: SeededRandom): Promise<void> {
    const { asking, ledger, tally } = this.#options
    const args = { a: this.#count++, b: random.between(0, 1000) }
    const name = `${asking}.add`
    const first = await this.#calls.call(name, args)
    tally.answer(first)
    const id = approvalIn(first)
    if (id === undefined) return tally.problem(`${name} did not wait for an approval: ${JSON.stringify(first)}`)
    if (random.often(0.2)) {
      tally.count('approvals left open')
      return this.#leaveOpen(id)
    }
    const isApproved = random.often(0.6)
    tally.count(isApproved ? 'approvals given' : 'approvals denied')
    await ledger.approvals[isApproved ? 'approve' : 'deny'](id, 'soak')
    const second = await this.#calls.call(name, args)
    tally.answer(second)
    const answer = hostAnswerOf(second)
    const isRun = 'sum' in answer && answer.sum === args.a + args.b
    if (isRun !== isApproved)
      tally.problem(`${name} after ${isApproved ? 'approval' : 'denial'}: ${JSON.stringify(second)}`)
    // A call that was denied waits for a person again.
    const next = approvalIn(second)
    if (next !== undefined) await this.#leaveOpen(next)
  }

  /** Of many open requests a person denies the oldest: the host takes no more than a thousand of one caller. */
  async #leaveOpen(id: string): Promise<void> {
    this.#undecided.push(id)
    const oldest = this.#undecided.length > MOST_UNDECIDED ? this.#undecided.shift() : undefined
    if (oldest !== undefined) await this.#options.ledger.approvals.deny(oldest, 'soak')
  }
}

function approvalIn({ result }: Response): string | undefined {
  const { error_type, error_details } = (result?.structuredContent ?? {}) as {
    error_type?: string
    error_details?: { approval?: string; status?: string }
  }
  return error_type === 'PermissionError' && error_details?.status === 'waiting' ? error_details.approval : undefined
}

/** The connection broke while the call ran: it may have had an effect, and says so. */
const isBroken = ({ result }: Response): boolean =>
  (result?.structuredContent as { error_type?: string } | undefined)?.error_type === 'TransportError'
