/** English words and phrases that the criteria look for, each list with what it stands for. Written for this critic. */

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Fillers, hedges and roundabout phrases: a sentence says the same without them. */
export const ROUNDABOUT: readonly string[] = [
  ...words(`actually basically essentially literally really quite rather somewhat perhaps possibly arguably simply
    virtually practically generally fairly utilize utilise utilization leverage leveraging facilitate facilitates
    aforementioned herein thereof whereby hereby heretofore notwithstanding`),
  ...lines(`
    in order to
    due to the fact that
    in spite of the fact that
    the fact that
    with regard to
    with respect to
    in terms of
    in the event that
    for the purpose of
    at this point in time
    at the present time
    in the process of
    it is important to note
    it should be noted
    it is worth noting
    needless to say
    as a matter of fact
    sort of
    kind of
    a number of
    the majority of
    on a regular basis
    in a manner
    in the context of
    has the ability to
    is able to
    it would seem
    it appears that
    to a certain extent
    more or less
    all things considered
    for all intents and purposes
    by means of
    on the basis of
    in accordance with
    subsequent to
    prior to
  `),
]

/** What a reader gets out of it: with you or your in the same sentence it is a benefit. */
export const BENEFITS = words(`get gets save saves keep keeps enjoy make makes wake feel stay need forget avoid stop cut
  gain win learn grow reach own have see find know sleep cook brew carry wear ride charge work relax protect protects
  fits fit lasts last helps help lets let gives give brings bring takes take frees arrives earn spend choose return`)

/** Verbs that a call to action begins with. */
export const ACTIONS = words(`order buy try shop get start join book call reply click tap add choose pick subscribe
  download visit claim reserve compare request sign read see discover explore grab take contact write email schedule
  register save browse send ask open check let`)

/** Words that point at evidence. */
export const PROOF: readonly string[] = [
  ...words(`review reviews rated rating ratings stars star customers customer buyers owners tested test tests lab study
    studies survey measured award awards certified certificate certification warranty guarantee guaranteed refund returns
    patented proven because verified trial independent recommended`),
  ...lines(`
    according to
    money back
    case study
  `),
]

/** Superlatives, hype and stock phrases: they claim much and show nothing. */
export const HYPE: readonly string[] = [
  ...words(`amazing incredible revolutionary ultimate unbelievable unparalleled unmatched unrivalled
    best greatest perfect perfectly awesome fantastic insane epic legendary magical mindblowing stunning extraordinary
    phenomenal sensational spectacular breathtaking jaw-dropping outstanding exceptional superb world-class
    groundbreaking unprecedented must-have finest miracle unbeatable unleash synergy seamless seamlessly paradigm`),
  ...lines(`
    game changer
    game changing
    next level
    cutting edge
    state of the art
    best in class
    think outside the box
    one stop shop
    second to none
    like never before
    look no further
    take it to the next level
    say goodbye to
    in today's fast paced world
    in today's world
    elevate your
    unlock the power
    mind blowing
    once in a lifetime
    the rest is history
    it's not just
    whole new level
  `),
]

/** Words that claim something about a product which somebody must be able to show. */
export const CLAIMS: readonly string[] = [
  ...words(`free guarantee guaranteed organic certified waterproof natural vegan vegetarian handmade handcrafted patented
    sustainable biodegradable recyclable recycled compostable hypoallergenic lifetime unlimited cheapest fastest lightest
    strongest largest smallest best finest exclusive official safe unbreakable indestructible bulletproof worldwide overnight
    bestselling genuine authentic wireless rechargeable cordless cures cure heals heal prevents proven approved warranty
    refund refundable discount kosher halal homegrown antibacterial antimicrobial shatterproof fireproof
    windproof dustproof leakproof rustproof award recommended endorsed`),
  ...lines(`
    award winning
    water resistant
    eco friendly
    environmentally friendly
    carbon neutral
    climate neutral
    fair trade
    non toxic
    dishwasher safe
    microwave safe
    same day
    next day
    limited edition
    best selling
    best seller
    number one
    no 1
    money back
    risk free
    clinically tested
    clinically proven
    scientifically proven
    dermatologically tested
    doctor recommended
    made in
    hand made
    hand crafted
    small batch
    single origin
    zero waste
    stainless steel
    solid wood
    full grain
    on sale
    in stock
    sold out
  `),
]

/** Claims that no product can keep for everybody, and that advertising law asks proof for. */
export const ABSOLUTE: readonly string[] = lines(`
  100% safe
  100% effective
  100% guaranteed
  completely safe
  totally safe
  guaranteed results
  results guaranteed
  guaranteed to work
  guaranteed income
  guaranteed profit
  guaranteed returns
  risk free
  no risk
  zero risk
  no side effects
  without side effects
  always works
  never fails
  works for everyone
  works for everybody
  works every time
  miracle cure
  instant cure
  cures cancer
  cures diabetes
  cures anxiety
  cures depression
  cures everything
  cures all
  clinically proven to cure
  get rich quick
  get rich
  instant results
  permanent results
  doctors hate
  lose weight fast
  lose weight without
  nothing can go wrong
  cannot fail
  can't fail
  can not fail
  everyone agrees
  best in the world
  world's best
  number one in the world
`)
