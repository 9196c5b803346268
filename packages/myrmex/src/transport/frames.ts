/**
 * Splits a byte stream into lines, however it is chunked. Lines may have any size, unless a limit is given. The caller may reuse the
 * memory of a chunk: what is incomplete is copied.
 */

const NEWLINE = 0x0a

export class LineFrames {
  readonly #onLine: (text: string) => void
  /** chunks of an incomplete line; joined once */
  #partial: Buffer[] = []
  #pendingBytes = 0
  readonly #maxBytes: number

  /** The rest of a line with more than `maxBytes` may be dropped. */
  constructor(onLine: (text: string) => void, maxBytes: number = Number.POSITIVE_INFINITY) {
    this.#onLine = onLine
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(NEWLINE)
    if (last === -1) {
      if (this.#pendingBytes > this.#maxBytes) return
      this.#partial.push(Buffer.from(chunk))
      this.#pendingBytes += chunk.length
      return
    }
    const text =
      this.#partial.length === 0
        ? chunk.toString('utf8', 0, last)
        : Buffer.concat([...this.#partial, chunk.subarray(0, last)]).toString()
    this.#partial = last + 1 < chunk.length ? [Buffer.from(chunk.subarray(last + 1))] : []
    this.#pendingBytes = chunk.length - last - 1
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#emit(text.slice(start, end))
      start = end + 1
    }
    this.#emit(start === 0 ? text : text.slice(start))
  }

  /** The size of the incomplete line, to limit untrusted peers. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** The stream ended: the rest is a line too. */
  end(): void {
    if (this.#partial.length > 0) this.#emit(Buffer.concat(this.#partial).toString())
    this.#partial = []
    this.#pendingBytes = 0
  }

  #emit(line: string): void {
    if (line !== '' && line !== '\r') this.#onLine(line)
  }
}
