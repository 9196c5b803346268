/**
 * Makes the bytes of groups in one buffer that is used again and again: a text is encoded once, then hashed and written as it is.
 * The buffer has what is hashed (`head number`, a newline, the lines), and after it the last line of the group.
 */
import { crypto } from '../../protocol/builtin.ts'
import { type ChainHead, groupEnd, hashPrefix } from './chain.ts'

const USUAL_BYTES = 256 * 1024
/** More than one UTF-16 unit never takes. */
const BYTES_PER_UNIT = 3
/** The first line and the last one are shorter. */
const OWN_BYTES = 256

export class GroupEncoder {
  #buffer: Buffer = Buffer.allocUnsafeSlow(USUAL_BYTES)
  #start = 0
  #end = 0

  /** Takes the lines of the group that follows `before`, and returns its hash. */
  hash(before: ChainHead, lines: string): string {
    const room = lines.length * BYTES_PER_UNIT + OWN_BYTES
    if (room > this.#buffer.length) this.#grow(Buffer.byteLength(lines) + OWN_BYTES)
    this.#start = this.#buffer.write(hashPrefix(before), 0, 'latin1')
    this.#end = this.#start + this.#buffer.write(lines, this.#start, 'utf8')
    return crypto.hash('sha256', this.#buffer.subarray(0, this.#end), 'base64url')
  }

  /** The whole group as it is stored. The bytes are valid until the next group is hashed. */
  stored(group: number, mac: string): Buffer {
    const end = this.#end + this.#buffer.write(groupEnd(group, mac), this.#end, 'latin1')
    return this.#buffer.subarray(this.#start, end)
  }

  /** One long group does not keep its memory. */
  #grow(bytes: number): void {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, USUAL_BYTES))
  }
}
