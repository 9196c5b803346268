// A small reader of HTTP/1.1 responses on a kept-alive connection: bytes in, whole bodies out, whether their length
// is declared or they come in chunks. Strict on purpose: what it does not know ends the benchmark.

export type HttpResponse = { status: number; type: string; body: string }

type Head = { status: number; type: string; length: number; chunked: boolean }

export class HttpReader {
  #onResponse: (response: HttpResponse) => void
  #text = ''
  #head: Head | undefined
  #body = ''

  constructor(onResponse: (response: HttpResponse) => void) {
    this.#onResponse = onResponse
  }

  /** Takes Latin-1 text, one character a byte, so that lengths can be counted in it. */
  take(chunk: string): void {
    this.#text += chunk
    while (this.#step());
  }

  #step(): boolean {
    this.#head ??= this.#readHead()
    if (this.#head === undefined) return false
    const complete = this.#head.chunked ? this.#readChunks() : this.#readLength(this.#head.length)
    if (!complete) return false
    const response = { status: this.#head.status, type: this.#head.type, body: this.#body }
    this.#head = undefined
    this.#body = ''
    this.#onResponse(response)
    return this.#text !== ''
  }

  #readHead(): Head | undefined {
    const end = this.#text.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const lines = this.#text.slice(0, end).toLowerCase().split('\r\n')
    this.#text = this.#text.slice(end + 4)
    const status = Number(/^http\/1\.1 (\d{3})/.exec(lines[0] ?? '')?.[1])
    const head: Head = { status, type: '', length: 0, chunked: false }
    for (const line of lines) {
      if (line.startsWith('content-length:')) head.length = Number(line.slice(15))
      else if (line.startsWith('transfer-encoding:')) head.chunked = line.endsWith('chunked')
      else if (line.startsWith('content-type:')) head.type = line.slice(13).trim()
    }
    if (Number.isNaN(head.status) || Number.isNaN(head.length)) throw new Error(`not a response: ${lines.join(' | ')}`)
    return head
  }

  #readLength(length: number): boolean {
    if (this.#text.length < length) return false
    this.#body = this.#text.slice(0, length)
    this.#text = this.#text.slice(length)
    return true
  }

  /** Takes the chunks that are complete; true after the last, empty one. Trailers are not expected from anybody. */
  #readChunks(): boolean {
    for (;;) {
      const lineEnd = this.#text.indexOf('\r\n')
      if (lineEnd < 0) return false
      const size = Number.parseInt(this.#text.slice(0, lineEnd), 16)
      if (Number.isNaN(size)) throw new Error(`not a chunk size: ${this.#text.slice(0, 40)}`)
      const end = lineEnd + 2 + size
      if (this.#text.length < end + 2) return false
      this.#body += this.#text.slice(lineEnd + 2, end)
      this.#text = this.#text.slice(end + 2)
      if (size === 0) return true
    }
  }
}
