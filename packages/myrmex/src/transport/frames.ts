/** Newline-delimited frames out of a byte stream: any size, cut anywhere, many in one chunk. */

const NEWLINE = 0x0a

export class LineFrames {
  readonly #frame: (text: string) => void
  /** chunks of a frame whose end has not come yet; joined once, however many they are */
  #open: Buffer[] = []
  #held = 0

  constructor(frame: (text: string) => void) {
    this.#frame = frame
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(NEWLINE)
    if (last === -1) {
      this.#open.push(chunk)
      this.#held += chunk.length
      return
    }
    const whole = chunk.subarray(0, last)
    const text = this.#open.length === 0 ? whole.toString() : Buffer.concat([...this.#open, whole]).toString()
    this.#open = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : []
    this.#held = chunk.length - last - 1
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#give(text.slice(start, end))
      start = end + 1
    }
    this.#give(start === 0 ? text : text.slice(start))
  }

  /** How many bytes there are of a frame whose end has not come yet: whoever does not trust the peer looks at it. */
  get pendingBytes(): number {
    return this.#held
  }

  /** The stream ended: what is left is a frame, if a broken one. */
  end(): void {
    if (this.#open.length > 0) this.#give(Buffer.concat(this.#open).toString())
    this.#open = []
    this.#held = 0
  }

  #give(line: string): void {
    if (line !== '' && line !== '\r') this.#frame(line)
  }
}
