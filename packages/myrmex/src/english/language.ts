/** Tells English from other languages by their frequent short words. Reads any text in linear time. */

/** Words frequent in one of these languages and rare in the others. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  English:
    'the and is to of my i it you have not this that for with was are be on in your but what can we do has please where when how would will been am just from they there an as so if it any all get me no or at',
  German:
    'der die das und ist nicht ich mein meine meinen wo wann bitte haben habe wurde mit für auf ein eine einen sie wir noch schon aber auch bestellung sehr zu den dem von seit warum kann können ihre danke es im bin',
  French:
    'le la les et est je ne pas mon ma mes vous nous où quand pour avec une des du que qui sur commande bonjour merci dans ce cette il elle été ai avez sont au aux très depuis mais encore suis',
  Spanish:
    'el la los las y es no mi mis usted dónde donde cuándo cuando para con una que por pedido hola gracias en del está he muy pero todavía aún mucho se lo su desde quiero al ha yo',
  Italian:
    'il lo gli e è non mio mia miei dove quando per con una che di del della ordine ciao grazie sono ho ancora molto ma si questo questa nel alla ha vorrei il da',
  Dutch:
    'de het een en is niet ik mijn waar wanneer graag hebben heb werd met voor op van wij nog maar ook bestelling zeer te dat die bent zijn kunt uw geen naar dank',
  Portuguese:
    'o os as e é não meu minha onde quando para com uma que por pedido olá obrigado obrigada em do da está muito mas ainda se eu você foi tem seu são no na',
  Polish:
    'i w na nie jest to moje moja mój gdzie kiedy proszę dziękuję z do że się jak mam od po zamówienie paczka przez dla ale czy jeszcze bardzo o za',
}

const LANGUAGES = Object.entries(SMALL_WORDS).map(([language, words]) => ({
  language,
  words: new Set(words.split(' ')),
}))
const MIN_WORDS = 3

export interface Language {
  readonly english: boolean
  /** English, another of the known ones, or `unknown` */
  readonly language: string
}

export interface LanguageOptions {
  /** a text of at least this many words is `unknown` if too few of them are short words of a known language */
  readonly wordsToTell?: number
  /** the share of short words below which a text is no prose of a known language */
  readonly leastShare?: number
}

/** In English prose more than a third of the words are short ones. A text that is too short to tell counts as English. */
export function languageOf(text: string, { wordsToTell = 6, leastShare = 0.12 }: LanguageOptions = {}): Language {
  const letters = text.match(/\p{L}/gu) ?? []
  const latin = text.match(/\p{Script=Latin}/gu) ?? []
  if (letters.length > 0 && latin.length < letters.length / 2) return { english: false, language: 'unknown' }
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const shares = LANGUAGES.map(({ language, words: known }) => ({
    language,
    share: words.filter((word) => known.has(word)).length / Math.max(1, words.length),
  })).sort((a, b) => b.share - a.share)
  const english = shares.find(({ language }) => language === 'English')?.share ?? 0
  const best = shares[0]
  if (words.length < MIN_WORDS || best === undefined) return { english: true, language: 'English' }
  if (best.language !== 'English' && best.share > english * 1.2) return { english: false, language: best.language }
  if (words.length >= wordsToTell && best.share < leastShare) return { english: false, language: 'unknown' }
  return { english: true, language: 'English' }
}
