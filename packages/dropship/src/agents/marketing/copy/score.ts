/** Scores and ranks drafts by the critic's computed criteria. */
import type { Verdict } from 'myrmex'
import { CHANNEL_LIMITS } from './channel-limits.ts'
import type { Draft } from './compose.ts'
import { factsForCritic, type ProductFacts } from './product-facts.ts'

export type ScoredDraft = Draft & Pick<Verdict, 'score' | 'verdict' | 'judgements'>

/** Superlatives, promises and false pressure: never used, even if the listing has them. */
const FORBIDDEN = [
  ...'best, cheapest, number one, perfect, miracle, guarantee*, risk-free, risk free'.split(', '),
  ...'last chance, today only, limited time, hurry, act now, while stocks last, selling fast, sale ends'.split(', '),
]
/** How many keywords short and long texts can cover. */
const KEYWORDS = { short: 1, long: 3 }

export async function scoreDrafts(drafts: readonly Draft[], known: ProductFacts): Promise<ScoredDraft[]> {
  const { critiqueByRules } = await import('myrmex/runs')
  const facts = factsForCritic(known)
  const order = { pass: 0, revise: 1, fail: 2 }
  return drafts
    .map((draft): ScoredDraft => {
      const { channel, headline, body, call_to_action } = draft
      const { score, verdict, judgements } = critiqueByRules({
        task: `Write an ad for ${known.title}`,
        output: `${headline}.\n\n${body}\n\n${call_to_action}.`.replaceAll('..', '.'),
        facts,
        criteria: [
          'clarity',
          'persuasiveness',
          'grounding',
          {
            name: 'length',
            max_characters: CHANNEL_LIMITS[channel].headline + CHANNEL_LIMITS[channel].body + call_to_action.length + 6,
            min_words: 8,
          },
          ...keywordsFor(channel, known),
          { name: 'policy', forbid: FORBIDDEN },
        ],
      })
      return { ...draft, score, verdict, judgements }
    })
    .sort((a, b) => order[a.verdict] - order[b.verdict] || b.score - a.score)
}

function keywordsFor(channel: Draft['channel'], { keywords }: ProductFacts): object[] & { name: string }[] {
  const most = channel === 'email' || channel === 'page' ? KEYWORDS.long : KEYWORDS.short
  return keywords.length === 0 ? [] : [{ name: 'keyword_coverage', keywords: keywords.slice(0, most), min_share: 0.5 }]
}
