/**
 * Which user of this machine opened a loopback connection. Linux has that in its table of sockets, where every connection within the
 * machine is listed once for each end.
 *
 * - Only connections of the user of this process, and of root, are its own.
 * - If this process has started children, which have its user, the process that opened the connection must be a caller's: see
 *   `peer-process.ts`. Root's connections are root's: a child of an ordinary user cannot make one.
 * - The table is read once per connection, when it is opened. Connections that are opened during a read share the next one, so that many
 *   of them cost few reads.
 * - If a connection is not in the table, or its process has closed it (for which the table reports root), it is nobody's.
 */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'
import { log } from '../../server/log.ts'
import { startedChildren } from '../started-children.ts'
import { PeerProcesses } from './peer-process.ts'

/** A row can be missed while the table changes. */
const ATTEMPTS = 3
const ROOT = 0
/** A child may try again and again. */
const WARN_EVERY_MS = 60_000

export type Peer = 'own' | 'other user' | 'unknown process'

export class LocalPeers {
  readonly #uid: number
  readonly #known = new WeakMap<Socket, Peer | Promise<Peer>>()
  readonly #tables = [new SocketTable('/proc/net/tcp'), new SocketTable('/proc/net/tcp6')] as const
  readonly #processes = new PeerProcesses()
  #warned = Number.NEGATIVE_INFINITY

  constructor(uid: number) {
    this.#uid = uid
  }

  /** Whether the connection is of a caller of this user, or of root. */
  peerOf(socket: Socket): Peer | Promise<Peer> {
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    const looked = this.#lookUp(socket).then((peer) => {
      this.#known.set(socket, peer)
      return peer
    })
    this.#known.set(socket, looked)
    return looked
  }

  async #lookUp(socket: Socket): Promise<Peer> {
    const owner = await this.#ownerOf(socket)
    if (owner === undefined || (owner.uid !== this.#uid && owner.uid !== ROOT)) return 'other user'
    if (!startedChildren.any || owner.uid !== this.#uid || (await this.#processes.isCaller(owner.inode))) return 'own'
    this.#warn(socket)
    return 'unknown process'
  }

  async #ownerOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<SocketOwner | undefined> {
    if (remoteAddress === undefined || localAddress === undefined) return undefined
    const [ipv4, ipv6] = this.#tables
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (const [table, encode] of [
        [ipv4, encodeIpv4],
        [ipv6, encodeIpv6],
      ] as const) {
        const from = encode(remoteAddress, remotePort)
        const to = encode(localAddress, localPort)
        if (from === undefined || to === undefined) continue
        const owner = ownerIn(await table.read(), from, to)
        if (owner !== undefined) return owner
      }
    }
    return undefined
  }

  #warn({ remotePort }: Socket): void {
    if (performance.now() - this.#warned < WARN_EVERY_MS) return
    this.#warned = performance.now()
    log.warn(
      { client_port: remotePort },
      'http: a connection without a token was refused: it is of a server that this process started, or its process cannot be ' +
        'found. To let such a client call, set MYRMEX_TOKEN or give the policy principals',
    )
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

interface SocketOwner {
  readonly uid: number
  readonly inode: number
}

/** From the row of that connection's other end; undefined if there is none that a process holds open. */
function ownerIn(table: string, from: string, to: string): SocketOwner | undefined {
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
  return Number.isInteger(uid) && Number.isInteger(inode) && inode > 0 ? { uid, inode } : undefined
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
