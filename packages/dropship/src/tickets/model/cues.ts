/**
 * Phrases that point to an intent. They are features of the model like any word: their weights are learned, so that a misleading cue
 * loses its weight. They match normalised text (see words.ts).
 */
import type { Intent } from '../intents.ts'

export interface Cue {
  readonly name: string
  readonly intent: Intent
  readonly pattern: RegExp
}

const THING = '(?:order|parcel|package|delivery|shipment|item|purchase|stuff|goods|box|product|things?)'
const MY = '(?:my|the|our|an?|this|that|it|one)'

/** By intent, then by name. */
const PATTERNS: Readonly<Partial<Record<Intent, Readonly<Record<string, string>>>>> = {
  where_is_my_order: {
    'asks where it is': `\\bwhere (?:is|are|has|the \\w+ is) (?:${MY} )?(?:\\w+ )?(?:${THING}|it)\\b`,
    'asks when it comes':
      '\\bwhen (?:will|does|can|should|is|do|might|could) .{0,30}(?:arriv|come|deliver|get here|be here|expect|turn up|ship|dispatch)',
    'has not come':
      '\\b(?:not|never|nothing has|nothing|yet to|no)\\b.{0,20}\\b(?:arrived?|come|came|turned up|shown up|reached|delivered|been delivered|sign of)\\b',
    'not received it': `\\b(?:not|never)(?: yet)? (?:received?|got|gotten)(?: ${MY})?(?: \\w+)? ?(?:${THING}|yet|anything|it)`,
    tracking: '\\btrack(?:ing|ed)?\\b',
    late: '\\b(?:late|delayed|overdue|stuck|delay)\\b',
    'still waiting for it': `\\b(?:still|been) waiting\\b(?! for (?:my|the|a) (?:refund|money))`,
    'has it been sent': `\\b(?:has|have|did|was|is) (?:${MY} )?(?:\\w+ )?(?:been |get |already )?(?:ship(?:ped)?|sent|dispatched|left)\\b`,
    'status of the order':
      '\\b(?:status|update|news|progress) (?:of|on|about|for|regarding) (?:my|the|this|our) (?:order|parcel|package|delivery|shipment)',
    'delivery date':
      '\\b(?:delivery|arrival|shipping) (?:date|time|status|estimate)|\\b(?:estimated|expected) (?:delivery|arrival)',
  },
  return_request: {
    'wants to return': `\\b(?:to|can i|could i|may i|i will|like to|want to|please|how do i|how can i) (?:return|send (?:it |this |them |the \\w+ |${MY} \\w+ )?back|give (?:it |the \\w+ )?back|bring back|hand it back)`,
    'send back': '\\b(?:send|sending|take|give|giving|hand|bring) .{0,25}\\bback\\b(?! (?:my|the|all|our) money)',
    'return label': '\\breturn (?:label|form|address|shipping|policy|procedure|process|request|instructions)|\\brma\\b',
    returning: '\\b(?:return(?:ing)?|a return|the return)\\b(?!ed)',
    exchange: '\\b(?:exchange|swap) (?:it|them|this|for)\\b',
    'does not fit or suit':
      '\\b(?:does|do|did) not (?:fit|suit|like|go with|match our|need)\\b|\\btoo (?:small|big|large|tight|wide|short|long)\\b',
    'no longer wanted':
      '\\b(?:no longer (?:need|want)|not (?:needed|need it|want it|want to keep)|changed my mind|unopened|unused|still sealed|original packaging)',
    'withdraws from the purchase': '\\b(?:right (?:to|of) withdraw|withdraw(?:al)? from)',
  },
  refund_status: {
    'asks for the refund':
      '\\b(?:where|when|status|has|have|did|update|long|still|check|waiting|follow)\\b.{0,50}\\b(?:refund|reimburse|money|credit|repay|paid back)',
    'refund has not come':
      '\\b(?:refund|money|credit|repayment|reimbursement)\\b.{0,40}\\b(?:not|never|nothing|no|pending|yet)\\b|\\b(?:not|never|no|without)\\b.{0,25}\\brefund',
    'already returned':
      '\\b(?:i (?:have )?(?:returned|sent .{0,20}back)|my return (?:was|has|arrived)|returned (?:item|goods|product)|return was received|sent it back)',
    'account or card': '\\b(?:my|the) (?:bank|card|credit card|account|statement|paypal)\\b',
    'refund word': '\\b(?:refund(?:ed|s)?|reimburse\\w*|repayment)\\b',
  },
  damaged_item: {
    broken:
      '\\b(?:broke|broken|crack(?:ed|s)?|shatter\\w*|smash\\w*|snap(?:ped)?|chip(?:ped)|dent(?:ed)?|bent|torn|tear|tore|scratch(?:ed|es)|crushed|ripped|ruined|fell apart|came off|come off|pieces)\\b',
    faulty: '\\b(?:defect\\w*|fault(?:y)?|malfunction\\w*|dead on arrival|doa|warranty)\\b',
    'does not work':
      '\\b(?:does|do|did|will|is|has) not (?:work|turn on|switch on|start|charge|charging|working|pair|power)|\\bstop(?:ped|s) working|\\bno longer works|\\bhas died|\\bswitch(?:es)? itself off',
    damaged: '\\bdamag\\w*',
    leaks: '\\bleak\\w*|\\bflicker\\w*|\\bbuzz\\w*|\\bfreezes\\b',
  },
  wrong_item: {
    'wrong thing':
      '\\b(?:wrong|incorrect|different) (?:item|product|one|thing|article|colour|color|size|model|variant|version|delivery|order|brand)',
    'not what was ordered':
      '\\bnot (?:what|the (?:item|thing|one|right|product|colour|color|size)) ?(?:that )?(?:i|we)? ?(?:have )?(?:ordered|bought|paid for|chose|wanted|article)?\\b|\\bordered .{0,60}\\b(?:but|and) .{0,25}(?:got|received|came|delivered|sent)',
    'instead of': '\\b(?:instead of|in place of|rather than) (?:the|a|an|my)\\b',
    'something missing':
      '\\b(?:missing|incomplete|one short|item short|not in the (?:box|package|parcel)|were not inside|only (?:got|received|one|two|three|half))\\b',
    'mix-up': '\\b(?:mix(?:ed)?.?(?:up|things)|another (?:customer|person)|somebody else|someone else)',
  },
  cancel_order: {
    cancel: '\\b(?:cancel\\w*|annul|void|call off)\\b',
    'stop the order':
      '\\b(?:stop|do not send|do not ship) (?:my|the|this|it|processing|shipping)\\b|\\bdo not (?:send|ship|wish to go on)',
    'was cancelled': '\\b(?:was|been|got|is|my) cancel(?:l)?ed',
    'ordered by mistake': '\\b(?:by mistake|accident(?:ally)?|ordered twice|in error)\\b',
  },
  change_address: {
    'change the address':
      '\\b(?:change|update|correct|edit|amend|fix|modify|new|wrong|different|another|old|other)\\b.{0,35}\\b(?:(?<!e?mail )address|street|postal code|postcode|zip(?: code)?|house number|city|shipping details)\\b',
    'address is wrong':
      '\\b(?:address|street|postal code|postcode|zip|house number|city)\\b.{0,30}\\b(?:wrong|incorrect|old|typo|changed|missing|different)\\b',
    'has moved': '\\b(?:i|we) (?:have )?(?:just )?(?:moved|am moving|are moving|move)\\b|\\bmoved (?:house|last)',
    'send it elsewhere':
      '\\b(?:send|ship|deliver|redirect|forward|sent|delivered)\\b.{0,30}\\b(?:to (?:my|a|another|the|our) (?:\\w+ )?(?:office|work|workplace|neighbour|neighbor|parents|friend|sister|brother|address|place|house|pick)|somewhere else|elsewhere|there)',
    'a street and number':
      '\\b\\w+(?:strasse|straße|weg|platz|gasse)\\b|\\b(?:street|road|lane|avenue|rue|via|drive|square)\\b',
  },
  product_question: {
    'asks what it can do':
      '^(?:.{0,60}[.,:!|] ?)?(?:hi |hello )?,?(?:is|are|does|do|can|will|would) (?:it|this|the|these|they|you (?:have|sell|ship)|there)\\b',
    'asks for a measure':
      '\\b(?:how (?:big|large|tall|heavy|wide|thick|loud|long is|much (?:weight|does it weigh)|high|deep|warm)|dimension\\w*|weigh[ts]?|capacity|diameter|measurements?|volts?|watts?)\\b',
    'material or care':
      '\\b(?:material|made of|made from|washable|washed|dishwasher|waterproof|vegan|cotton|leather|ingredients|allerg\\w*|fabric|bpa)\\b',
    'in stock': '\\b(?:back in stock|in stock|sold out|available|availability|restock\\w*)\\b',
    'suitable or compatible':
      '\\b(?:suitable|compatible|fit for|fits? (?:a|an|my|on|in|for)|work with|works with|safe for|come with|comes with|included?)\\b',
    'thinks of buying':
      '\\b(?:before (?:i )?(?:buy|order|buying|ordering)|thinking (?:of|about) (?:buying|ordering|getting)|interested in|considering)\\b',
  },
  invoice: {
    invoice:
      '\\b(?:invoices?|receipts?|vat|tax|bill|billing document|proof of purchase|bookkeeping|accounting|accountant)\\b',
  },
  complaint: {
    'bad service':
      '\\b(?:bad|poor|terrible|awful|worst|horrible|appalling|disgusting|rude|useless|hopeless|pathetic|unprofessional|lousy|shocking)\\b.{0,30}\\b(?:service|support|experience|company|shop|staff|treatment|communication|quality|store|agent)?',
    complains: '\\b(?:complain\\w*|complaint)\\b(?<!nothing to complain)',
    'never again': '\\bnever (?:again|buy|order|shop)|\\bshop somewhere else|\\blast time\\b',
    'nobody answers':
      '\\b(?:nobody|no one|no-one|noone|never) (?:answers?|repl(?:y|ies)|responds?|calls?|picks? up|reacts?)|\\bignored?\\b|\\bno (?:reply|response|answer)\\b',
    'speaks of fraud':
      '\\b(?:scam\\w*|fraud|thie(?:f|ves)|fake|rip.?off|liars?|dishonest|mislead\\w*|misled|false promises)\\b',
    disappointed:
      '\\b(?:disappoint\\w*|let.?down|not (?:satisfied|impressed|happy|worth)|unhappy|dissatisfied|waste of|expected (?:better|more)|regret)\\b',
    'wants a manager or an apology': '\\b(?:manager|supervisor|apolog\\w*|explanation|person in charge)\\b',
  },
  praise: {
    'thanks for something':
      '\\b(?:thank(?:s| you)(?: \\w+){0,2} (?:for|to)|big thank|many thanks for|appreciate it|truly appreciate)\\b',
    'loves it':
      '\\b(?:love|loves|loving|adores?|delighted|thrilled|pleased|impressed|glad|so happy|very happy|happy (?:with|customer)|enjoy)\\b(?<!not (?:happy|impressed|pleased))',
    'fine words':
      '\\b(?:great|excellent|fantastic|wonderful|amazing|awesome|brilliant|superb|perfect(?:ly)?|beautiful|gorgeous|lovely|terrific|outstanding|best)\\b',
    recommends:
      '\\b(?:recommend\\w*|five stars|5 stars|keep (?:it )?up|well done|good work|great job|made my day|buy again|order again|be back|be ordering)\\b',
  },
  other: {
    'account or login': '\\b(?:password|log ?in|account|profile|sign in|newsletter|mailing list|unsubscribe)\\b',
    'business offer':
      '\\b(?:wholesale|cooperat\\w*|collaborat\\w*|partner\\w*|influencer|agency|reseller?|bulk|sponsor\\w*|journalist|seo|proposal|supplier|job|jobs|vacanc\\w*|career)\\b',
    'discount or voucher':
      '\\b(?:discounts?|vouchers?|coupons?|gift cards?|promo(?: code)?|loyalty|instalments?|installments?)\\b',
    'shop in general':
      '\\b(?:opening hours|privacy|social media|payment methods?|public holidays?|website|web site|your page)\\b',
  },
}

export const CUES: readonly Cue[] = Object.entries(PATTERNS).flatMap(([intent, patterns]) =>
  Object.entries(patterns).map(([name, pattern]) => ({ name, intent: intent as Intent, pattern: new RegExp(pattern) })),
)

/** The cues in a normalised text. */
export const findCues = (text: string): readonly Cue[] => CUES.filter(({ pattern }) => pattern.test(text))
