/**
 * `approvals` of myrmex.json: how long a waiting call is held, and where it is announced, with the secrets that this needs. A channel with a value
 * that cannot be resolved announces nothing, and says why; the others are not affected.
 */
import * as z from 'zod'
import { approvalConfigFields } from '../../pipeline/rules/approval-settings.ts'
import { describedObject, toolPattern } from '../../pipeline/rules/operator-schema.ts'
import { isSafeUrl } from '../../protocol/loopback.ts'
import type { Announcements, ChannelKind, ChannelSettings, ChannelTarget } from '../channels/channel.ts'
import { webhookKey } from '../channels/webhook.ts'
import { type ConfiguredValue, configuredValue } from './endpoint-schema.ts'
import { resolveValue } from './secrets/secret-value.ts'
import { type ConfigContext, type ConfigProblem, VariableExpander } from './variables.ts'

const KINDS = ['webhook', 'slack', 'email', 'desktop'] as const
const CHANNEL_NAME = /^[a-z0-9_-]{1,40}$/
const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/

/** A key that can be guessed is no signature. */
const MIN_SECRET = 24

const address = () =>
  z.string().max(320).regex(ADDRESS, { error: 'must be an e-mail address, such as ann@example.com' })

type ConfiguredChannel = z.output<ReturnType<typeof channel>>
type ConfiguredApprovals = z.output<ReturnType<typeof approvalsSchema>>

function channel() {
  return describedObject(
    {
      webhook: configuredValue.optional(),
      secret: configuredValue.optional(),
      slack: configuredValue.optional(),
      email: z.union([address(), z.array(address()).min(1).max(50)]).optional(),
      smtp: configuredValue.optional(),
      from: address().optional(),
      desktop: z.literal(true).optional(),
      tools: z.array(toolPattern()).min(1).optional(),
      arguments: z.boolean().optional(),
    },
    {
      webhook: 'A URL that gets each waiting call as signed JSON, with all arguments except secrets.',
      secret: `With webhook: the key of the signature (standardwebhooks.com), ${MIN_SECRET} bytes or more: whsec_ and base64, or a text.`,
      slack: 'The URL of an incoming webhook of Slack, or of a chat that accepts the same messages.',
      email: 'An e-mail address, or a list of them.',
      smtp: 'With email: the server, such as smtps://user:password@mail.example.com. A secret value.',
      from: 'With email: the sender.',
      desktop: 'true: a notification on the desktop of the user who runs the host.',
      tools: 'Announces only calls of these tools. Default: all.',
      arguments: 'true: slack, email and desktop show the arguments, except secrets. Default: false.',
    },
  ).superRefine((given, ctx) => {
    const wrong = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
    const kinds = KINDS.filter((kind) => given[kind] !== undefined)
    if (kinds.length !== 1) ctx.addIssue({ code: 'custom', message: `must have exactly one of ${KINDS.join(', ')}` })
    const [kind] = kinds
    for (const [field, owner] of [
      ['secret', 'webhook'],
      ['smtp', 'email'],
      ['from', 'email'],
    ] as const) {
      if (given[field] !== undefined && kind !== owner) wrong(field, `belongs to ${owner}`)
      if (given[field] === undefined && kind === owner) wrong(field, `is required with ${owner}; there is none`)
    }
    if (kind === 'webhook' && given.arguments !== undefined) wrong('arguments', 'a webhook always gets the arguments')
  })
}

const channels = () =>
  z.record(z.string().regex(CHANNEL_NAME, { error: 'must be a name of a-z, 0-9, _ and -' }), channel())

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return /^https?:$/.test(url?.protocol ?? '') && url?.search === '' && url.hash === '' && url.username === ''
}

export function approvalsSchema() {
  const { shape, descriptions } = approvalConfigFields()
  return describedObject(
    {
      ...shape,
      channels: channels().optional(),
      link: z
        .string()
        .refine(isBaseUrl, {
          error: 'must be an http or https URL without a query, such as https://tools.example.com',
        })
        .optional(),
    },
    {
      ...descriptions,
      channels:
        'Where waiting calls are announced, by a name of your choice. An announcement never approves: its link leads to a page that says how ' +
        "to decide, and deciding needs the operator's session.",
      link: 'Where people reach this host, for the links in announcements: https://tools.example.com. Default: the address on which it listens.',
    },
  )
}

export async function resolveAnnouncements(
  { channels = {}, link }: ConfiguredApprovals,
  context: ConfigContext,
  describe: (problems: readonly ConfigProblem[]) => string,
): Promise<Announcements> {
  const resolved: ChannelSettings[] = []
  for (const [name, given] of Object.entries(channels)) {
    const expander = new VariableExpander(context)
    const target = await new ChannelResolver(['approvals', 'channels', name], expander).target(given)
    const { tools, arguments: withArguments = false } = given
    const settings = { name, kind: kindOf(given), withArguments, ...(tools && { tools }) }
    resolved.push(
      expander.problems.length === 0
        ? { ...settings, target }
        : { ...settings, target: undefined, problem: describe(expander.problems) },
    )
  }
  return { channels: resolved, link }
}

/** The schema allows exactly one. */
const kindOf = (given: ConfiguredChannel): ChannelKind => KINDS.find((kind) => given[kind] !== undefined) as ChannelKind

/** Problems go to the expander, with their location. What is resolved counts only if there is none. */
class ChannelResolver {
  readonly #path: readonly string[]
  readonly #expander: VariableExpander

  constructor(path: readonly string[], expander: VariableExpander) {
    this.#path = path
    this.#expander = expander
  }

  async target(given: ConfiguredChannel): Promise<ChannelTarget> {
    const kind = kindOf(given)
    const { webhook, secret, slack, email, smtp, from } = given
    switch (kind) {
      case 'webhook': {
        const url = await this.#url(webhook, 'webhook', needsHttps)
        return { kind, url, secret: await this.#secret(secret) }
      }
      case 'slack':
        return { kind, url: await this.#url(slack, 'slack', needsHttps) }
      case 'email': {
        const to = Array.isArray(email) ? email : [email as string]
        return { kind, smtp: await this.#url(smtp, 'smtp', needsSmtp), from: from as string, to }
      }
      case 'desktop':
        return { kind }
    }
  }

  async #secret(value: ConfiguredValue | undefined): Promise<string> {
    const { text, isWhole } = await this.#text(value, 'secret')
    if (isWhole && webhookKey(text).length < MIN_SECRET)
      this.#problem('secret', `is too short: it must be ${MIN_SECRET} bytes or more. Make one: openssl rand -base64 32`)
    return text
  }

  async #url(
    value: ConfiguredValue | undefined,
    field: string,
    refusal: (url: URL) => string | undefined,
  ): Promise<string> {
    const { text, isWhole } = await this.#text(value, field)
    const url = URL.parse(text)
    const problem = url === null ? 'is not a URL' : refusal(url)
    // A missing variable is already reported.
    if (problem !== undefined && isWhole) this.#problem(field, problem)
    return text
  }

  async #text(value: ConfiguredValue | undefined, field: string): Promise<{ text: string; isWhole: boolean }> {
    const before = this.#expander.problems.length
    // The schema requires it.
    const { text } = await resolveValue(value as ConfiguredValue, [...this.#path, field], this.#expander)
    return { text, isWhole: this.#expander.problems.length === before }
  }

  #problem(field: string, message: string): void {
    this.#expander.addProblem([...this.#path, field], message)
  }
}

/** What is announced, and the secret in the address, must not pass a network in clear. */
const needsHttps = (url: URL): string | undefined =>
  isSafeUrl(url) ? undefined : 'must be an https URL, or http on this machine'

const needsSmtp = ({ protocol }: URL): string | undefined =>
  protocol === 'smtp:' || protocol === 'smtps:' ? undefined : 'must be an smtp:// or smtps:// URL'
