/** Where one client stands: what it can reach, what it was told, and what it decides by chance. */
import type { Approver } from './approver.ts'
import type { Book } from './book.ts'
import type { Chance } from './chance.ts'
import { type CallResult, resultOf, type Told, toldBy } from './told.ts'
import type { Question, Response, Wire } from './wire.ts'

export interface PostOptions {
  readonly book: Book
  readonly chance: Chance
  /** one for each server on the ledger */
  readonly wires: readonly Wire[]
  /** undefined while nobody but the servers has the ledger open */
  readonly approver: Approver | undefined
  /** nobody else calls things by names that begin so */
  readonly name: string
}

export class Post {
  readonly book: Book
  readonly chance: Chance
  readonly approver: Approver | undefined
  readonly #wires: readonly Wire[]
  readonly #name: string
  #count = 0

  constructor({ book, chance, wires, approver, name }: PostOptions) {
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
  get wire(): Wire | undefined {
    const open = this.#wires.filter(({ open }) => open)
    return open.length === 0 ? undefined : this.chance.pick(open)
  }

  async ask(question: Question): Promise<Response | undefined> {
    const { wire } = this
    const response = await wire?.ask(question)
    if (wire !== undefined && response === undefined) this.book.cutOff++
    return response
  }

  /** What a call of a tool was told; undefined if the server died first. */
  async call(name: string, args: object, key?: string): Promise<Told | undefined> {
    const response = await this.ask(question(name, args, key))
    return response === undefined ? undefined : toldBy(resultOf<CallResult>(response))
  }
}

export const question = (name: string, args: object, key?: string): Question => ({
  method: 'tools/call',
  params: { name, arguments: args },
  ...(key !== undefined && { key }),
})
