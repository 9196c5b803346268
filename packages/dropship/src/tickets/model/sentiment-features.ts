/**
 * The features of a message for the sentiment model: VADER's lexicon, and signs of temper that a lexicon does not know, such as
 * shouting, threats and earlier messages. Each sign has a name that a reader understands.
 */
import { cached } from '../../cached.ts'
import { normalised, plainText, withoutCourtesies } from '../reading/words.ts'
import type { Features } from './features.ts'

type Polarity = (text: string) => number

const MAX_KNOWN = 10_000

let loaded: Promise<Polarity> | undefined

/** From -1 to 1. VADER's lexicon has 7,500 words, so it is loaded when the first ticket is read. */
export const polarity = (): Promise<Polarity> => {
  loaded ??= import('vader-sentiment').then(({ default: vader }) => {
    const { SentimentIntensityAnalyzer } = vader
    const ofText: Polarity = (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound
    const known = new Map<string, number>()
    // Single words occur often; whole messages do not.
    return (text) => (text.includes(' ') ? ofText(text) : cached(known, text, ofText, MAX_KNOWN))
  })
  return loaded
}

/** Matched against normalised text. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  threat:
    /\b(?:lawyer|attorney|solicitor|sue|legal action|court|police|chargeback|dispute|report you|consumer (?:protection|rights)|trading standards|ombudsman)\b/,
  insult:
    /\b(?:scam\w*|thie(?:f|ves)|theft|steal\w*|fraud\w*|joke|ridiculous|pathetic|disgrace\w*|rubbish|junk|crap|garbage|idiots?|liars?|incompetent|disgusting|hell|damn|worst|unacceptable|outrage\w*|furious|fed up|sick of|appalling|unbelievable|shame)\b/,
  demand:
    /\b(?:demand|insist|at once|immediately|right now|today or|expect (?:an answer|a refund|my money)|last chance|had enough|long enough)\b/,
  'has written before':
    /\b(?:(?:second|third|fourth|fifth|anumber|adate|several|many|multiple) (?:time|mail|email|message|times|mails|emails|messages)|again and again|already (?:wrote|written|asked|contacted|told)|written (?:before|twice)|asked .{0,20}(?:before|twice)|no (?:reply|answer|response)|nobody (?:answers|replies|responds))\b/,
  'never again': /\bnever (?:again|buy|order|shop)|\bone star\b|\bwill tell (?:all|every)/,
  disappointment:
    /\b(?:disappoint\w*|unhappy|sad|sorry to say|worried|annoy\w*|frustrat\w*|upset|let.?down|not (?:happy|satisfied|impressed|good|nice|worth)|poor|regret|unfortunately|misled|expected (?:better|more))\b/,
  'a wait':
    /\b(?:still (?:not|no|waiting|nothing)|so long|forever|for ages|weeks|taking (?:too|so)|too long|late|delayed|overdue|keeps?|never (?:arrived|came|showed|turned))\b/,
  'a fault':
    /\b(?:broke\w*|crack\w*|damag\w*|defect\w*|fault\w*|shatter\w*|smash\w*|torn|leak\w*|scratch\w*|dent\w*|stopped working|fell apart|wrong|missing|ruined|chipped)\b/,
  thanks:
    /\b(?:thank you (?:so|very)|thanks (?:a lot|so)|many thanks|appreciate\w*|thank(?:s| you)(?: \w+){0,2} for)\b/,
  delight:
    /\b(?:love\w*|great|excellent|fantastic|wonderful|amazing|awesome|brilliant|superb|perfect\w*|beautiful|gorgeous|delighted|thrilled|pleased|best|recommend\w*|five stars|well done|so happy|very happy|excited|terrific|glad|impressed by)\b/,
}

const GRADES = [0.05, 0.3, 0.6]

/** Features by name, with the words they were found in. */
export function sentimentFeatures(text: string, polarityOf: Polarity): Features {
  const found = new Map<string, string>()
  const said = normalised(text)
  for (const [name, pattern] of Object.entries(SIGNS)) {
    const hit = pattern.exec(said)
    if (hit !== null) found.set(name, hit[0])
  }
  const plain = plainText(text)
  const shouted = plain.match(/\b[A-Z]{4,}\b/g) ?? []
  if (shouted.length > 0) found.set('capitals', shouted.slice(0, 3).join(' '))
  if (/![\s!]*!|\?[!?]|!\?/.test(plain)) found.set('exclamation marks', '!!')
  else if (plain.includes('!')) found.set('an exclamation mark', '!')
  addGrades(found, felt(plain), polarityOf)
  return found
}

/** Words that VADER counts as positive although requests use them: "please help, I would like a gift for a friend". */
const REQUESTS =
  /\b(?:(?:would|i'd|we'd) (?:like|love)|please|kindly|help\w*|hope|hoping|want\w*|interest\w*|gifts?|presents?|safe\w*|free|sure|certain|solution|solve|friends?|share|secure|trust|thanks|thank you|matters?|like (?:this|that|the|a|to)|clear\w*|ok|okay|yes|number|fine|agree\w*|accept\w*|credit\w*|value|care|top|fresh|warm|cool|easy|support|dear)\b/gi

/** The text without such words. VADER counts capitals, so the text keeps them where somebody shouts. */
const felt = (plain: string): string => {
  const said = /[A-Z]{4,}/.test(plain) ? plain : withoutCourtesies(plain.toLowerCase())
  return said.replace(REQUESTS, ' ')
}

function addGrades(found: Map<string, string>, plain: string, polarityOf: Polarity): void {
  const value = polarityOf(plain)
  const side = value < 0 ? 'bad words' : 'good words'
  const words = loadedWords(plain, polarityOf, Math.sign(value))
  for (const [index, grade] of GRADES.entries()) if (Math.abs(value) >= grade) found.set(`${side} ${index + 1}`, words)
}

/** The words with this sign in the lexicon, strongest first. */
function loadedWords(plain: string, polarityOf: Polarity, sign: number): string {
  const words = [...new Set(plain.toLowerCase().match(/[a-z]{3,}/g) ?? [])].slice(0, 200)
  return words
    .map((word) => ({ word, value: polarityOf(word) * sign }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, 3)
    .map(({ word }) => word)
    .join(', ')
}
