/**
 * marketing.write_copy: advertising copy for a product. Every sentence is based on a fact of the shop or the marketplace. The critic
 * scores the variants; they are ranked and saved.
 */

import { answer, type Tool, tool } from 'myrmex'
import { plural } from 'myrmex/text'
import * as z from 'zod'
import { PLATFORMS, type Shop, type ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { CHANNELS } from './copy/channel-limits.ts'
import { compose } from './copy/compose.ts'
import { type ProductFacts, readProductFacts } from './copy/product-facts.ts'
import { type ScoredDraft, scoreDrafts } from './copy/score.ts'
import { SCARCE_STOCK } from './copy/sentences.ts'
import { TONES, type Tone } from './copy/tones.ts'
import { findProduct } from './find-product.ts'

/** Variants per channel if no channel is requested. */
const BEST_OF_EACH = 2

const VariantSchema = z.object({
  creative_id: field.text(60, 'Id of the creative.'),
  channel: z.enum(CHANNELS).describe('Channel it is written for.'),
  angle: z.enum(['features', 'reviews', 'price', 'service', 'scarcity']).describe('First argument.'),
  headline: field.text(120, 'Headline, or subject of a mail.'),
  body: field.text(1000, 'The text.'),
  call_to_action: field.text(200, 'Text of the button or the last line.'),
  score: field.share('Mean of the criteria.'),
  verdict: z.enum(['pass', 'revise', 'fail']).describe('Verdict of the critic.'),
  criteria: field.list(
    10,
    'The criteria.',
    z.object({
      criterion: field.text(40, 'Name of the criterion.'),
      score: field.nullable('Score; null if it cannot be measured.', field.share()),
      evidence: field.text(1000, 'Evidence.'),
    }),
  ),
  grounded_in: field.list(30, 'Facts behind its sentences.', field.text(60)),
})

const input = z.object({
  tone: z.enum(TONES).meta({ type_id: 'tone' }).describe('Tone. It changes wording and order, never the claims.'),
  product_name: field.filledText(300, 'Title of a product of the shop, or of a listing.', 'product_name'),
  channel: z.enum(CHANNELS).optional().describe('Channel. Default: all ad platforms.'),
  sku: field.filledText(100, 'SKU, if several products have the same title.', 'sku').optional(),
})
type CopyRequest = z.output<typeof input>

export const writeCopy = (source: ShopSource): Tool =>
  tool({
    name: 'marketing.write_copy',
    version: '1.1.0',
    title: 'Write advertising copy',
    description:
      'Writes variants of copy for a product by tone and channel, each sentence based on a known fact, scores them by computed criteria and saves them as creatives, the best first.',
    input,
    output: z.object({
      creative_id: field.filledText(60, 'Id of the best variant.', 'creative_id'),
      product_name: field.text(300, 'Title of the product.', 'product_name'),
      sku: field.nullable('SKU of the product; null if the shop does not sell it yet.', field.text(100)),
      tone: z.enum(TONES).meta({ type_id: 'tone' }).describe('The requested tone.'),
      variants: z.array(VariantSchema).min(1).max(20).describe('Variants, the best first.'),
      notes: field.list(10, 'What the copy does not claim, and why.', field.text(400)),
    }),
    errors: {
      UnknownProduct: details.failure(
        'Neither the shop nor the marketplace has a product of that name, or sku and name do not match. The error lists the nearest names.',
        {
          product_name: details.text('The name that was given.').optional(),
          sku: details.text('The SKU that was given.').optional(),
          nearest: details.texts('The nearest names.'),
        },
      ),
      CreativeInUse: details.failure('Undo only: a campaign already uses one of the variants.', {
        creative_id: details.text('Id of the variant.'),
        campaign_id: details.text('Id of the campaign.'),
      }),
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      'Saves texts and spends nothing. Titles and facts from the marketplace are untrusted: invisible characters and markup are removed, long prose is not repeated, and superlatives, promises and pressure count against a variant even if the listing has them.',
    examples: [
      { title: 'An urgent ad', arguments: { tone: 'urgent', product_name: 'Comfy Chair' } },
      {
        title: 'An unknown product',
        arguments: { tone: 'plain', product_name: 'Unicorn saddle' },
        error: 'UnknownProduct',
      },
    ],
    dryRun: async (wanted) => {
      const copy = await draftCopy(await source(), wanted)
      const data = copyData(
        copy,
        copy.drafts.map(() => 'unsaved'),
      )
      const [best] = data.variants
      const explanation = `Would save ${plural(data.variants.length, 'variant')} for ${data.product_name}; the best: ${best?.headline}`
      return answer(data, { explanation })
    },
    run: async (wanted, ctx) => {
      const shop = await source()
      const copy = await draftCopy(shop, wanted)
      const { known, tone, drafts } = copy
      const kept = await shop.ads.saveCreatives(
        drafts.map(
          ({ angle: _angle, grounded_in: _facts, verdict: _verdict, judgements: _judgements, ...creative }) => ({
            sku: known.sku,
            product_name: known.title,
            tone,
            ...creative,
          }),
        ),
        ctx.idempotencyKey,
      )
      const data = copyData(
        copy,
        kept.map(({ creative_id }) => creative_id),
      )
      const [best] = data.variants
      const explanation = `${plural(data.variants.length, 'variant')} for ${known.title}; the best is ${best?.creative_id} (${best?.score.toFixed(2)}): ${best?.headline}`
      return answer(data, { explanation })
    },
    undo: async (_input, data, ctx) => {
      const shop = await source()
      const key = ctx.idempotencyKey === undefined ? undefined : `${ctx.idempotencyKey} undone`
      await shop.ads.deleteCreatives(
        data.variants.map(({ creative_id }) => creative_id),
        key,
      )
    },
  })

interface CopyDrafts {
  readonly known: ProductFacts
  readonly tone: Tone
  /** the best first */
  readonly drafts: readonly ScoredDraft[]
}

async function draftCopy(shop: Shop, { tone, product_name, channel, sku }: CopyRequest): Promise<CopyDrafts> {
  const { product, listing } = await findProduct(shop, product_name, sku)
  const known = await readProductFacts(shop, product, listing)
  const channels = channel === undefined ? PLATFORMS : [channel]
  const ranked = await scoreDrafts(
    channels.flatMap((one) => compose(known, tone, one)),
    known,
  )
  return { known, tone, drafts: channel === undefined ? bestOfEachChannel(ranked) : ranked }
}

const copyData = ({ known, tone, drafts }: CopyDrafts, ids: readonly string[]) => ({
  creative_id: ids[0] ?? '',
  product_name: known.title,
  sku: known.sku ?? null,
  tone,
  variants: drafts.map((draft, index) => variantOf(draft, ids[index] ?? '')),
  notes: [...notesOn(known, tone, drafts[0])],
})

const bestOfEachChannel = (ranked: readonly ScoredDraft[]): ScoredDraft[] =>
  ranked.filter(({ channel }, at) => {
    const better = ranked.slice(0, at).filter((draft) => draft.channel === channel)
    return better.length < BEST_OF_EACH
  })

const variantOf = (
  { judgements, grounded_in, ...draft }: ScoredDraft,
  creative_id: string,
): z.infer<typeof VariantSchema> => ({
  creative_id,
  ...draft,
  criteria: judgements.map(({ criterion, score, evidence }) => ({
    criterion,
    score,
    evidence: evidence.slice(0, 3).join(' ').slice(0, 1000),
  })),
  grounded_in: [...grounded_in],
})

function* notesOn({ available, sku, facts, rating }: ProductFacts, tone: string, best: ScoredDraft | undefined) {
  if (tone === 'urgent' && (available === undefined || available < 1 || available > SCARCE_STOCK)) {
    const why =
      available === undefined
        ? 'the shop does not stock it'
        : `${available} available, and ${SCARCE_STOCK} or fewer count as scarce`
    yield `It is not scarce (${why}), so no text says so.`
  }
  if (sku === undefined) yield 'The shop does not sell it yet; a campaign needs a page first.'
  if (rating === undefined) yield 'It has no reviews, so none are cited.'
  if (facts.length === 0) yield 'Only title and price are known.'
  if (best?.verdict === 'fail') yield 'Even the best variant fails a criterion. Check its criteria before you use it.'
}
