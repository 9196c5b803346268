/**
 * Which user of this machine opened a loopback connection. Linux has that in its table of sockets, where every connection within the
 * machine is listed once for each end.
 *
 * - Only connections of the user of this process, and of root, are its own.
 * - The table is read once per connection, when it is opened. Connections that are opened during a read share the next one, so that many
 *   of them cost few reads.
 * - If a connection is not in the table, or its process has closed it (for which the table reports root), it is nobody's.
 */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'

/** A row can be missed while the table changes. */
const ATTEMPTS = 3
const ROOT = 0

export class LocalPeers {
  readonly #uid: number
  readonly #known = new WeakMap<Socket, boolean | Promise<boolean>>()
  readonly #tables = [new SocketTable('/proc/net/tcp'), new SocketTable('/proc/net/tcp6')] as const

  constructor(uid: number) {
    this.#uid = uid
  }

  /** Whether the connection is of this user, or of root. */
  isOwn(socket: Socket): boolean | Promise<boolean> {
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    const looked = this.#lookUp(socket).then((isOwn) => {
      this.#known.set(socket, isOwn)
      return isOwn
    })
    this.#known.set(socket, looked)
    return looked
  }

  async #lookUp({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<boolean> {
    if (remoteAddress === undefined || localAddress === undefined) return false
    const [ipv4, ipv6] = this.#tables
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (const [table, encode] of [
        [ipv4, encodeIpv4],
        [ipv6, encodeIpv6],
      ] as const) {
        const from = encode(remoteAddress, remotePort)
        const to = encode(localAddress, localPort)
        if (from === undefined || to === undefined) continue
        const uid = uidIn(await table.read(), from, to)
        if (uid !== undefined) return uid === this.#uid || uid === ROOT
      }
    }
    return false
  }
}

/** Undefined where the platform does not say who opened a connection. */
export function localPeers(): LocalPeers | undefined {
  const uid = process.getuid?.()
  return process.platform === 'linux' && uid !== undefined ? new LocalPeers(uid) : undefined
}

class SocketTable {
  readonly #file: string
  #reading: Promise<unknown> | undefined
  #next: Promise<string> | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** The table as it is after this call: a read that has begun may have passed the row. */
  read(): Promise<string> {
    if (this.#reading === undefined) return this.#begin()
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      return this.#begin()
    })
    return this.#next
  }

  #begin(): Promise<string> {
    const text = readFile(this.#file, 'latin1').catch(() => '')
    this.#reading = text.then(() => {
      this.#reading = undefined
    })
    return text
  }
}

/** The user of the row of that connection's other end; undefined if there is none that a process holds open. */
export function uidIn(table: string, from: string, to: string): number | undefined {
  const start = table.indexOf(` ${from} ${to} `)
  if (start === -1) return undefined
  const end = table.indexOf('\n', start)
  // from, to, state, queues, timer, retransmissions, uid, timeout, inode
  const fields = table
    .slice(start, end === -1 ? undefined : end)
    .trim()
    .split(/\s+/)
  const [uid, inode] = [Number(fields[6]), Number(fields[8])]
  // A socket without an inode belongs to no process any more.
  return Number.isInteger(uid) && Number.isInteger(inode) && inode > 0 ? uid : undefined
}

type Encoded = string | undefined

function encodeIpv4(address: string, port: number | undefined): Encoded {
  const bytes = ipv4Bytes(address.replace(/^::ffff:/i, ''))
  return bytes && `${words(bytes)}:${hexPort(port)}`
}

/** An IPv4 connection can be made with a socket for IPv6: its row then has mapped addresses. */
function encodeIpv6(address: string, port: number | undefined): Encoded {
  const mapped = ipv4Bytes(address.replace(/^::ffff:/i, ''))
  const zeros = new Array<number>(10).fill(0)
  if (mapped !== undefined) return `${words([...zeros, 0xff, 0xff, ...mapped])}:${hexPort(port)}`
  // The only other address of loopback.
  return address === '::1' ? `${words([...zeros, 0, 0, 0, 0, 0, 1])}:${hexPort(port)}` : undefined
}

function ipv4Bytes(address: string): number[] | undefined {
  const bytes = address.split('.').map(Number)
  return bytes.length === 4 && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    ? bytes
    : undefined
}

/** The table has addresses as numbers of 32 bits in the byte order of the machine. */
function words(bytes: readonly number[]): string {
  const buffer = Buffer.from(bytes)
  if (endianness() === 'LE') buffer.swap32()
  return buffer.toString('hex').toUpperCase()
}

const hexPort = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0')
