/**
 * Announces waiting calls on every configured channel: each once, soon after it was requested by any process on the ledger, also those
 * that were requested while no host ran. No call waits for it or fails because of it:
 *
 * 1. It looks into the ledger for what was not announced yet, and claims it.
 * 2. What the channel does not want, and what was decided meanwhile, is dropped.
 * 3. The others are sent at the same time. One that fails comes again later, a few times.
 * 4. A caller that floods cannot flood a person: beyond BURST announcements a minute the others come as one line. Nor can it hide the calls of
 *    others among its own: callers take turns, and beyond BURST_EACH its further ones leave room for theirs.
 *
 * A sign-in at a server that no longer works is announced too, by the process that found it.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ClaimedNotice } from '../../ledger/approval-notices.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { messageOf } from '../../protocol/errors.ts'
import { ruleCovers } from '../../tool/rule-names.ts'
import { otherNames } from '../../tool/stutter.ts'
import type { NeededSignIn } from '../sign-in/sign-in-needed.ts'
import { type Announcements, type Channel, type ChannelSettings, openChannel } from './channel.ts'
import { approvalLink, type Notice, noticeId } from './notice.ts'

const POLL_MS = 500
/** Announced one by one in a minute, of all callers and of each. */
const BURST = 40
const BURST_EACH = 20
const BURST_MS = 60_000
const CLAIM_LIMIT = 200
/** When a sign-in that is dead is announced again if a channel fails. */
const RETRY_MS = [10_000, 60_000, 300_000]
/** What is being sent when the host ends. It is announced again by the next one if it did not arrive. */
const CLOSE_MS = 1000

export interface NotifierOptions {
  readonly ledger: () => Ledger
  readonly log: (level: 'warn', line: string) => void
  /** how often it looks; default: twice a second */
  readonly pollMs?: number
  /** how long it waits before each further attempt about a dead sign-in */
  readonly retryMs?: readonly number[]
}

export interface ChannelStatus {
  readonly name: string
  readonly kind: ChannelSettings['kind']
  /** null: all */
  readonly tools: readonly string[] | null
  /** announcements since the host started */
  readonly sent: number
  readonly last_sent_at: number | null
  readonly last_error: { readonly at: number; readonly message: string } | null
  /** why it announces nothing */
  readonly problem: string | null
}

interface OpenedChannel {
  readonly settings: ChannelSettings
  readonly channel: Promise<Channel>
  /** the latest announcements; the principal is undefined for one that is not about one call */
  recent: { readonly at: number; readonly principal: string | undefined }[]
  lastDigestAt: number
  sent: number
  lastSentAt: number | null
  lastError: ChannelStatus['last_error']
}

/** Something to announce that the channel wants. */
interface Announcement {
  readonly claimed: ClaimedNotice
  readonly approval: Approval
}

export class Notifier {
  /** Where the pages of the host are; undefined: nowhere. A configured link counts more. */
  origin: string | undefined
  readonly #options: NotifierOptions
  #channels: readonly OpenedChannel[] = []
  #configuredLink: string | undefined
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  /** Replaces the channels; those that stay as they were go on. The ledger knows what was announced on which, by name. */
  configure({ channels, link }: Announcements): void {
    const before = this.#channels
    this.#configuredLink = link
    this.#channels = channels.map(
      (settings) => before.find((one) => isDeepStrictEqual(one.settings, settings)) ?? this.#open(settings),
    )
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#channels.some(isUsable)) this.#schedule()
  }

  /** The base of the links. */
  get link(): string | undefined {
    return this.#configuredLink ?? this.origin
  }

  status(): ChannelStatus[] {
    return this.#channels.map(({ settings, sent, lastSentAt, lastError }) => ({
      name: settings.name,
      kind: settings.kind,
      tools: settings.tools ?? null,
      sent,
      last_sent_at: lastSentAt,
      last_error: lastError,
      problem: settings.target === undefined ? settings.problem : null,
    }))
  }

  /** A sign-in at a server no longer works: every channel that is about the server learns it once. */
  announceDead(needed: NeededSignIn): void {
    for (const opened of this.#channels.filter(isUsable))
      if (isAbout(opened.settings.tools, needed.server)) void this.#announceDead(opened, needed)
  }

  /** Sends a test now. Rejects with what went wrong; undefined if there is no such channel. */
  async test(name: string): Promise<ChannelStatus | undefined> {
    const opened = this.#channels.find(({ settings }) => settings.name === name)
    if (opened === undefined) return undefined
    try {
      await this.#send(opened, { kind: 'test', link: this.#linkTo() })
    } catch (thrown) {
      this.#failed(opened, thrown)
      throw thrown
    }
    return this.status().find((one) => one.name === name)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await Promise.race([this.#round, pause(CLOSE_MS, undefined, { ref: false })])
  }

  #open(settings: ChannelSettings): OpenedChannel {
    const channel = openChannel(settings)
    const opened = { settings, channel, recent: [], lastDigestAt: 0, sent: 0, lastSentAt: null, lastError: null }
    // Such as a package that is not installed.
    channel.catch((thrown) => this.#failed(opened, thrown))
    return opened
  }

  #schedule(): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#round = this.#announceAll().finally(() => this.#schedule())
    }, this.#options.pollMs ?? POLL_MS).unref()
  }

  async #announceAll(): Promise<void> {
    await Promise.all(
      this.#channels.filter(isUsable).map(async (opened) => {
        try {
          await this.#announce(opened)
        } catch (thrown) {
          if (!this.#closed) this.#failed(opened, thrown)
        }
      }),
    )
  }

  async #announce(opened: OpenedChannel): Promise<void> {
    const room = roomOf(opened)
    const isDigestSent = Date.now() - opened.lastDigestAt < BURST_MS
    if (room === 0 && isDigestSent) return
    const { approvalNotices } = this.#options.ledger()
    const { name } = opened.settings
    // As long as the others cannot come as one line, only those are taken that can come one by one.
    const claimed = isDigestSent
      ? await approvalNotices.claim(name, room, busyPrincipals(opened))
      : await approvalNotices.claim(name, CLAIM_LIMIT)
    const wanted = (await Promise.all(claimed.map((one) => this.#wanted(opened, one)))).filter(
      (one) => one !== undefined,
    )
    const [single, others] = divided(opened, wanted, room)
    await Promise.all(single.map((one) => this.#announceOne(opened, one)))
    // Claimed again after a while.
    if (others.length === 0 || isDigestSent) return
    opened.lastDigestAt = Date.now()
    await this.#send(opened, { kind: 'digest', count: others.length, link: this.#linkTo() })
    for (const { approval } of others) await approvalNotices.sent(name, approval.id)
  }

  async #wanted({ settings }: OpenedChannel, claimed: ClaimedNotice): Promise<Announcement | undefined> {
    const { approvals, approvalNotices } = this.#options.ledger()
    const { name, tools } = settings
    const approval = await approvals.find(claimed.approval)
    const isWanted = approval?.status === 'waiting' && (tools === undefined || isFor(tools, approval.tool))
    if (isWanted) return { claimed, approval }
    await approvalNotices.sent(name, claimed.approval)
    return undefined
  }

  async #announceOne(opened: OpenedChannel, { claimed, approval }: Announcement): Promise<void> {
    const { approvalNotices } = this.#options.ledger()
    const { name } = opened.settings
    try {
      await this.#send(opened, { kind: 'approval', approval, link: this.#linkTo(approval.id) })
    } catch (thrown) {
      this.#failed(opened, thrown)
      return approvalNotices.failed(name, claimed)
    }
    await approvalNotices.sent(name, approval.id)
  }

  async #announceDead(opened: OpenedChannel, needed: NeededSignIn): Promise<void> {
    const since = Date.now()
    for (const wait of [0, ...(this.#options.retryMs ?? RETRY_MS)]) {
      await pause(wait, undefined, { ref: false })
      if (this.#closed || !this.#channels.includes(opened) || !hasRoomForSignIn(opened)) return
      try {
        return await this.#send(opened, { kind: 'sign_in', needed, link: undefined }, since)
      } catch (thrown) {
        this.#failed(opened, thrown)
      }
    }
  }

  async #send(opened: OpenedChannel, notice: Notice, since?: number): Promise<void> {
    const now = Date.now()
    opened.recent.push({ at: now, principal: notice.kind === 'approval' ? notice.approval.principal : undefined })
    const channel = await opened.channel
    await channel.send(notice, noticeId(notice, opened.settings.name, since ?? now))
    opened.sent++
    opened.lastSentAt = Date.now()
    opened.lastError = null
  }

  #linkTo(id?: string): string | undefined {
    const { link } = this
    return link === undefined ? undefined : approvalLink(link, id)
  }

  /** A channel that is down is one line in the log, not one for each attempt. */
  #failed(opened: OpenedChannel, thrown: unknown): void {
    const message = messageOf(thrown)
    if (opened.lastError?.message !== message)
      this.#options.log('warn', `channel ${opened.settings.name} announces nothing: ${message}`)
    opened.lastError = { at: Date.now(), message }
  }
}

const isUsable = ({ settings }: OpenedChannel): boolean => settings.target !== undefined

/** A channel for some tools hears of the servers that these may belong to. */
const isAbout = (patterns: readonly string[] | undefined, server: string): boolean =>
  patterns === undefined || patterns.some((pattern) => pattern.startsWith('*') || pattern.startsWith(`${server}.`))

/** How many may still be announced one by one. */
function roomOf(opened: OpenedChannel): number {
  const from = Date.now() - BURST_MS
  opened.recent = opened.recent.filter(({ at }) => at > from)
  return Math.max(0, BURST - opened.recent.length)
}

/** However much callers are announced. Many accounts that die together are in the log and the status. */
function hasRoomForSignIn(opened: OpenedChannel): boolean {
  roomOf(opened)
  return opened.recent.filter(({ principal }) => principal === undefined).length < BURST_EACH
}

/** Those to announce one by one, callers in turn, and the others. */
function divided(
  opened: OpenedChannel,
  wanted: readonly Announcement[],
  room: number,
): [Announcement[], Announcement[]] {
  const counts = new Map<string, number>()
  const turns = wanted
    .toSorted((one, other) => one.approval.requested_at - other.approval.requested_at)
    .map((announcement) => {
      const { principal } = announcement.approval
      const turn = counts.get(principal) ?? announcedOf(opened, principal)
      counts.set(principal, turn + 1)
      return { announcement, turn }
    })
    .sort((one, other) => one.turn - other.turn)
  const single = turns.filter(({ turn }) => turn < BURST_EACH).slice(0, room)
  const others = turns.filter((one) => !single.includes(one))
  return [single.map(({ announcement }) => announcement), others.map(({ announcement }) => announcement)]
}

const announcedOf = ({ recent }: OpenedChannel, principal: string): number =>
  recent.filter((one) => one.principal === principal).length

const busyPrincipals = (opened: OpenedChannel): string[] => {
  const known = new Set(opened.recent.map(({ principal }) => principal).filter((one) => one !== undefined))
  return [...known].filter((principal) => announcedOf(opened, principal) >= BURST_EACH)
}

/** By any of its names: a message too many is better than none. */
const isFor = (patterns: readonly string[], tool: string): boolean =>
  [tool, ...otherNames(tool)].some((name) => patterns.some((pattern) => ruleCovers(pattern, name)))
