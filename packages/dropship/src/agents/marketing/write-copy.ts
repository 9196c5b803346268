/**
 * marketing.write_copy: advertising copy for a product. Every sentence is based on a fact of the shop or the marketplace. The critic
 * scores the variants; they are ranked and saved.
 */

import { answer, type Tool, tool } from 'myrmex'
import { plural } from 'myrmex/text'
import * as z from 'zod'
import { PLATFORMS, type ShopSource } from '../../ports.ts'
import * as field from '../field-types.ts'
import { CHANNELS } from './copy/channel-limits.ts'
import { compose } from './copy/compose.ts'
import { type ProductFacts, readProductFacts } from './copy/product-facts.ts'
import { type ScoredDraft, scoreDrafts } from './copy/score.ts'
import { SCARCE_STOCK } from './copy/sentences.ts'
import { TONES } from './copy/tones.ts'
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

export const writeCopy = (source: ShopSource): Tool =>
  tool({
    name: 'marketing.write_copy',
    version: '1.0.1',
    title: 'Write advertising copy',
    description:
      'Writes variants of copy for a product by tone and channel, each sentence based on a known fact, scores them by computed criteria and saves them as creatives, the best first.',
    input: z.object({
      tone: z.enum(TONES).meta({ type_id: 'tone' }).describe('Tone. It changes wording and order, never the claims.'),
      product_name: field.filledText(300, 'Title of a product of the shop, or of a listing.', 'product_name'),
      channel: z.enum(CHANNELS).optional().describe('Channel. Default: all ad platforms.'),
      sku: field.filledText(100, 'SKU, if several products have the same title.', 'sku').optional(),
    }),
    output: z.object({
      creative_id: field.filledText(60, 'Id of the best variant.', 'creative_id'),
      product_name: field.text(300, 'Title of the product.', 'product_name'),
      sku: field.nullable('SKU of the product; null if the shop does not sell it yet.', field.text(100)),
      tone: z.enum(TONES).meta({ type_id: 'tone' }).describe('The requested tone.'),
      variants: z.array(VariantSchema).min(1).max(20).describe('Variants, the best first.'),
      notes: field.list(10, 'What the copy does not claim, and why.', field.text(400)),
    }),
    errors: {
      UnknownProduct:
        'Neither the shop nor the marketplace has a product of that name, or sku and name do not match. The error lists the nearest names.',
      CreativeInUse: 'Undo only: a campaign already uses one of the variants.',
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
    run: async ({ tone, product_name, channel, sku }, ctx) => {
      const shop = await source()
      const { product, listing } = await findProduct(shop, product_name, sku)
      const known = await readProductFacts(shop, product, listing)
      const channels = channel === undefined ? PLATFORMS : [channel]
      const ranked = await scoreDrafts(
        channels.flatMap((one) => compose(known, tone, one)),
        known,
      )
      const best = channel === undefined ? bestOfEachChannel(ranked) : ranked
      const kept = await shop.ads.saveCreatives(
        best.map(({ angle: _angle, grounded_in: _facts, verdict: _verdict, judgements: _judgements, ...creative }) => ({
          sku: known.sku,
          product_name: known.title,
          tone,
          ...creative,
        })),
        ctx.idempotencyKey,
      )
      const variants = best.map((draft, index) => variantOf(draft, kept[index]?.creative_id ?? ''))
      const [first] = variants
      return answer(
        {
          creative_id: first?.creative_id ?? '',
          product_name: known.title,
          sku: known.sku ?? null,
          tone,
          variants,
          notes: [...notesOn(known, tone, ranked[0])],
        },
        {
          explanation: `${plural(variants.length, 'variant')} for ${known.title}; the best is ${first?.creative_id} (${first?.score.toFixed(2)}): ${first?.headline}`,
        },
      )
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
