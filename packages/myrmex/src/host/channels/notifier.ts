/**
 * Announces waiting calls on every configured channel: each once, soon after it was requested by any process on the ledger, also those
 * that were requested while no host ran. A channel that fails is retried and reported. A caller that floods cannot flood a person: beyond
 * BURST announcements a minute the others come as one line.
 */

import type { ClaimedNotice } from '../../ledger/approval-notices.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ruleCovers } from '../../tool/rule-names.ts'
import { otherNames } from '../../tool/stutter.ts'
import { type Channel, type ChannelSettings, openChannel } from './channel.ts'
import { approvalLink, type Notice, noticeId } from './notice.ts'

const POLL_MS = 500
/** Announced one by one in a minute. */
const BURST = 20
const BURST_MS = 60_000
const CLAIM_LIMIT = 200

export interface NotifierOptions {
  readonly ledger: Ledger
  /** base of the links */
  readonly link: () => string
  readonly log: (level: 'warn' | 'info', line: string) => void
}

export interface ChannelStatus {
  readonly name: string
  readonly kind: string
  /** announcements since the host started */
  readonly sent: number
  readonly last_sent_at: number | null
  readonly last_error: { readonly at: number; readonly message: string } | null
}

interface OpenedChannel {
  readonly settings: ChannelSettings
  readonly channel: Promise<Channel>
  /** times of the latest announcements */
  recent: number[]
  sent: number
  lastSentAt: number | null
  lastError: ChannelStatus['last_error']
}

export class Notifier {
  readonly #options: NotifierOptions
  #channels: readonly OpenedChannel[] = []
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  /** Replaces the channels; the ledger knows what was announced on which, by name. */
  configure(channels: readonly ChannelSettings[]): void {
    this.#channels = channels.map((settings) => {
      const channel = openChannel(settings)
      // Reported when something is to be sent.
      channel.catch(() => undefined)
      return { settings, channel, recent: [], sent: 0, lastSentAt: null, lastError: null }
    })
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (channels.length > 0) this.#schedule()
  }

  status(): ChannelStatus[] {
    return this.#channels.map(({ settings, sent, lastSentAt, lastError }) => ({
      name: settings.name,
      kind: settings.target.kind,
      sent,
      last_sent_at: lastSentAt,
      last_error: lastError,
    }))
  }

  /** Sends a test now. Rejects with what went wrong; undefined if there is no such channel. */
  async test(name: string): Promise<ChannelStatus | undefined> {
    const opened = this.#channels.find(({ settings }) => settings.name === name)
    if (opened === undefined) return undefined
    await this.#send(opened, { kind: 'test', link: approvalLink(this.#options.link()) })
    return this.status().find((one) => one.name === name)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#round
  }

  #schedule(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#round = this.#announceAll().finally(() => this.#schedule())
    }, POLL_MS).unref()
  }

  async #announceAll(): Promise<void> {
    await Promise.all(
      this.#channels.map(async (opened) => {
        try {
          await this.#announce(opened)
        } catch (thrown) {
          if (!this.#options.ledger.closed) this.#failed(opened, thrown)
        }
      }),
    )
  }

  async #announce(opened: OpenedChannel): Promise<void> {
    const { approvalNotices } = this.#options.ledger
    const { name } = opened.settings
    const claimed = await approvalNotices.claim(name, CLAIM_LIMIT)
    const skipped: ClaimedNotice[] = []
    for (const notice of claimed) {
      if (this.#isFlooded(opened)) skipped.push(notice)
      else await this.#attempt(opened, notice)
    }
    if (skipped.length === 0) return
    await this.#send(opened, { kind: 'digest', count: skipped.length, link: approvalLink(this.#options.link()) })
    for (const { approval } of skipped) await approvalNotices.sent(name, approval)
  }

  async #attempt(opened: OpenedChannel, claimed: ClaimedNotice): Promise<void> {
    const { ledger, link } = this.#options
    const { name, tools } = opened.settings
    const approval = await ledger.approvals.find(claimed.approval)
    const isWanted = approval?.status === 'waiting' && (tools === undefined || isFor(tools, approval.tool))
    if (approval === undefined || !isWanted) return ledger.approvalNotices.sent(name, claimed.approval)
    try {
      await this.#send(opened, { kind: 'approval', approval, link: approvalLink(link(), approval.id) })
      await ledger.approvalNotices.sent(name, claimed.approval)
    } catch (thrown) {
      this.#failed(opened, thrown)
      await ledger.approvalNotices.failed(name, claimed)
    }
  }

  async #send(opened: OpenedChannel, notice: Notice): Promise<void> {
    const now = Date.now()
    opened.recent.push(now)
    const channel = await opened.channel
    await channel.send(notice, noticeId(notice, opened.settings.name, now))
    opened.sent++
    opened.lastSentAt = Date.now()
    opened.lastError = null
  }

  #isFlooded(opened: OpenedChannel): boolean {
    const from = Date.now() - BURST_MS
    opened.recent = opened.recent.filter((at) => at > from)
    return opened.recent.length >= BURST
  }

  #failed(opened: OpenedChannel, thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    opened.lastError = { at: Date.now(), message }
    this.#options.log('warn', `channel ${opened.settings.name}: ${message}`)
  }
}

/** By any of its names: a message too many is better than none. */
const isFor = (patterns: readonly string[], tool: string): boolean =>
  [tool, ...otherNames(tool)].some((name) => patterns.some((pattern) => ruleCovers(pattern, name)))
