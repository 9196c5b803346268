/**
 * Whether the process at the other end of a loopback connection may be a caller. Upstreams that this process has started have its user,
 * so the user alone does not tell them from callers. Linux lists the descriptors of each process under /proc. A socket is a caller's if
 *
 * - this process holds it, or
 * - a process holds it that is no descendant of a started child and is in the process namespace of this process. A child in a sandbox has
 *   another one, also while it outlives its parents.
 * - No descendant of a child holds it too.
 *
 * A socket that no process is seen to hold is nobody's: its process does not let others read its descriptors, or has hidden the socket.
 * One search serves all connections that are opened during the search before. It is divided into slices, and reads a bounded number of
 * descriptors of each process.
 */
import { type Dir, opendirSync, readdirSync, readlinkSync } from 'node:fs'
import { processStat } from '../../ledger/process-identity.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import { startedChildren } from '../started-children.ts'

const MAX_DESCRIPTORS = 16_384
/** A parent can end while the line of ancestors is followed. */
const ATTEMPTS = 3
const MAX_ANCESTORS = 1000
/** Callers that are searched first when they connect again. */
const MAX_RECENT = 16
const LINKS_PER_PAUSE = 256

export class PeerProcesses {
  #waiting = new Map<string, PromiseWithResolvers<boolean>>()
  #isSearching = false
  /** the last ones at the end */
  readonly #recent = new Set<number>()

  /** `inode` of the caller's end of the connection */
  isCaller(inode: number): Promise<boolean> {
    const link = `socket:[${inode}]`
    const known = this.#waiting.get(link)
    if (known !== undefined) return known.promise
    const verdict = Promise.withResolvers<boolean>()
    this.#waiting.set(link, verdict)
    if (!this.#isSearching) void this.#searchAll()
    return verdict.promise
  }

  async #searchAll(): Promise<void> {
    this.#isSearching = true
    while (this.#waiting.size > 0) {
      const batch = this.#waiting
      this.#waiting = new Map()
      const accepted = await this.#search(new Set(batch.keys())).catch(() => new Set<string>())
      for (const [link, verdict] of batch) verdict.resolve(accepted.has(link))
    }
    this.#isSearching = false
  }

  /** Removes the sockets that it finds from `wanted`, and returns those of callers. */
  async #search(wanted: Set<string>): Promise<Set<string>> {
    const accepted = new Set<string>()
    const slices = new TimeSlices()
    for await (const link of heldBy(process.pid, wanted, slices)) accepted.add(link)
    if (wanted.size === 0) return accepted
    const parents = await parentsOfAll(slices)
    const others: number[] = []
    for (const pid of parents.keys()) {
      if (!isBelowChild(pid, parents)) others.push(pid)
      else for await (const _ of heldBy(pid, wanted, slices));
    }
    // A program that connects has often just been started.
    const recent = [...this.#recent].reverse().filter((pid) => parents.has(pid))
    for (const pid of new Set([...recent, ...others.sort((one, other) => other - one)])) {
      if (wanted.size === 0) break
      for await (const link of heldBy(pid, wanted, slices)) {
        // Also other holders of a socket that such a process holds are no callers.
        if (!isOutside(pid)) continue
        accepted.add(link)
        this.#remember(pid)
      }
    }
    return accepted
  }

  #remember(pid: number): void {
    this.#recent.delete(pid)
    this.#recent.add(pid)
    const [oldest] = this.#recent
    if (this.#recent.size > MAX_RECENT && oldest !== undefined) this.#recent.delete(oldest)
  }
}

/** The wanted links among the descriptors of a process, each of which is then no longer wanted. */
async function* heldBy(pid: number, wanted: Set<string>, slices: TimeSlices): AsyncGenerator<string> {
  const path = `/proc/${pid}/fd`
  let folder: Dir | undefined
  try {
    folder = opendirSync(path, { bufferSize: LINKS_PER_PAUSE })
    for (let count = 0; count < MAX_DESCRIPTORS && wanted.size > 0; count++) {
      if (count % LINKS_PER_PAUSE === 0) await slices.pause()
      const entry = folder.readSync()
      if (entry === null) return
      const link = linkAt(`${path}/${entry.name}`)
      if (link !== undefined && wanted.delete(link)) yield link
    }
  } catch {
    // The process has ended, or is another user's.
  } finally {
    folder?.closeSync()
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

async function parentsOfAll(slices: TimeSlices): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    await slices.pause()
    const stat = processStat(name)
    if (stat !== undefined && Number(name) !== process.pid) parents.set(Number(name), stat.parent)
  }
  return parents
}

function isBelowChild(pid: number, parents: ReadonlyMap<number, number>): boolean {
  let at: number | undefined = pid
  for (let count = 0; at !== undefined && count < MAX_ANCESTORS; count++) {
    if (startedChildren.has(at)) return true
    at = parents.get(at)
  }
  return false
}

/** Follows the ancestors as they are now: the answer lets somebody in. */
function isOutside(pid: number): boolean {
  const namespace = linkAt('/proc/self/ns/pid')
  if (namespace === undefined || linkAt(`/proc/${pid}/ns/pid`) !== namespace) return false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const isOut = hasNoChildAbove(pid)
    if (isOut !== undefined) return isOut
  }
  return false
}

/** Undefined if an ancestor ended meanwhile. */
function hasNoChildAbove(pid: number): boolean | undefined {
  let at: number | undefined = pid
  for (let count = 0; count < MAX_ANCESTORS; count++) {
    if (at === undefined) return undefined
    if (startedChildren.has(at)) return false
    // A process whose parent ended belongs to process 1. If that is this process, it may be a child's.
    if (at === process.pid) return at !== 1
    if (at <= 1) return true
    at = processStat(at)?.parent
  }
  return false
}
