/** The state of one client: its connections, the answers it got, and its random decisions. */

import type { SeededRandom } from '../seeded-random.ts'
import { answerOf, type CallAnswer, type CallResult, resultOf } from './answer.ts'
import type { Approver } from './approver.ts'
import type { ClientRecord } from './client-record.ts'
import type { CrashConnection, Question, Response } from './connection.ts'

export interface SimulatedClientOptions {
  readonly book: ClientRecord
  readonly chance: SeededRandom
  /** one for each server on the ledger */
  readonly wires: readonly CrashConnection[]
  /** undefined while nobody but the servers has the ledger open */
  readonly approver: Approver | undefined
  /** nobody else calls things by names that begin so */
  readonly name: string
}

export class SimulatedClient {
  readonly book: ClientRecord
  readonly chance: SeededRandom
  readonly approver: Approver | undefined
  readonly #wires: readonly CrashConnection[]
  readonly #name: string
  #count = 0

  constructor({ book, chance, wires, approver, name }: SimulatedClientOptions) {
    this.book = book
    this.chance = chance
    this.approver = approver
    this.#wires = wires
    this.#name = name
  }

  fresh(): string {
    return `${this.#name}.${++this.#count}`
  }

  /** Of several servers, any one that is alive. */
  get wire(): CrashConnection | undefined {
    const open = this.#wires.filter(({ open }) => open)
    return open.length === 0 ? undefined : this.chance.pick(open)
  }

  async ask(question: Question): Promise<Response | undefined> {
    const { wire } = this
    const response = await wire?.ask(question)
    if (wire !== undefined && response === undefined) this.book.cutOff++
    return response
  }

  /** The answer to a tool call; undefined if the server died first. */
  async call(name: string, args: object, key?: string): Promise<CallAnswer | undefined> {
    const response = await this.ask(toolQuestion(name, args, key))
    return response === undefined ? undefined : answerOf(resultOf<CallResult>(response))
  }
}

export const toolQuestion = (name: string, args: object, key?: string): Question => ({
  method: 'tools/call',
  params: { name, arguments: args },
  ...(key !== undefined && { key }),
})
