/**
 * Anchors: the signed mark, stored again and again in places that an attacker with the ledger and its key cannot change: a file
 * on another machine, a program, an address. `verify --anchors` compares them with the journal. A place that fails is reported
 * and tried again; nothing waits for it.
 */
import { appendFile } from 'node:fs/promises'
import { childProcess } from '../../protocol/builtin.ts'
import type { SignedMark } from './mark.ts'

export type AnchorPlace =
  | { readonly file: string }
  | { readonly command: readonly string[] }
  | { readonly url: string; readonly token_env?: string | undefined }

const TIMEOUT_MS = 10_000

export class Anchors {
  readonly #places: readonly AnchorPlace[]
  readonly #read: () => Promise<SignedMark | undefined>
  readonly #onFailure: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  /** the newest mark that each place has */
  readonly #stored = new Map<AnchorPlace, string>()
  #publishing: Promise<void> = Promise.resolve()

  constructor(
    places: readonly AnchorPlace[],
    everyMs: number,
    read: () => Promise<SignedMark | undefined>,
    onFailure: (error: unknown) => void,
  ) {
    this.#places = places
    this.#read = read
    this.#onFailure = onFailure
    this.#timer = setInterval(() => void this.publish(), everyMs).unref()
  }

  /** Resolves when every place has the mark as it is now, or has failed. */
  publish(): Promise<void> {
    this.#publishing = this.#publishing.then(() => this.#publish())
    return this.#publishing
  }

  async #publish(): Promise<void> {
    try {
      const mark = await this.#read()
      if (mark !== undefined) await Promise.all(this.#places.map((place) => this.#store(place, mark)))
    } catch (error) {
      this.#onFailure(error)
    }
  }

  async #store(place: AnchorPlace, mark: SignedMark): Promise<void> {
    if (this.#stored.get(place) === mark.body) return
    const line = `${JSON.stringify(mark)}\n`
    try {
      if ('file' in place) await appendFile(place.file, line, { mode: 0o600, flush: true })
      else if ('command' in place) await pipeTo(place.command, line)
      else await post(place, line)
      this.#stored.set(place, mark.body)
    } catch (error) {
      this.#onFailure(new Error(`an anchor could not be stored (${placeName(place)}): ${reasonOf(error as Error)}`))
    }
  }

  /** Stores the last mark and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.publish()
  }
}

/** fetch says only that it failed. Why is in its cause. */
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message

const placeName = (place: AnchorPlace): string =>
  'file' in place ? place.file : 'command' in place ? String(place.command[0]) : new URL(place.url).origin

function pipeTo([program = '', ...args]: readonly string[], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = childProcess().execFile(program, args, { timeout: TIMEOUT_MS }, (error) =>
      error === null ? resolve() : reject(error),
    )
    // A program that does not read its input has its own reasons; whether it failed says its exit code.
    child.stdin?.on('error', () => {})
    child.stdin?.end(text)
  })
}

async function post({ url, token_env }: { url: string; token_env?: string | undefined }, text: string): Promise<void> {
  const token = token_env === undefined ? undefined : process.env[token_env]
  if (token_env !== undefined && token === undefined) throw new Error(`the variable ${token_env} is not set`)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: text,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the address answered ${response.status}`)
}
