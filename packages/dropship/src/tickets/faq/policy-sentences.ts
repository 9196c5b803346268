/** The sentences of a policy that share words with a question, in the policy's order. */
import { stem } from 'myrmex/english'
import type { ShopPolicy } from '../../ports.ts'
import { wordsOf } from '../reading/words.ts'

const MOST = 3

export function policySentences(policy: ShopPolicy, about: string): string {
  const wanted = new Set(wordsOf(about).map(stem))
  const sentences = policy.text.split(/(?<=[.!?])\s+/)
  const scored = sentences.map((sentence, place) => {
    const words = new Set(wordsOf(sentence.toLowerCase()).map(stem))
    return { sentence, place, shared: [...wanted].filter((word) => words.has(word)).length }
  })
  const best = scored
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.place - b.place)
    .slice(0, MOST)
  return (best.length === 0 ? scored.slice(0, 1) : best.sort((a, b) => a.place - b.place))
    .map(({ sentence }) => sentence)
    .join(' ')
}
