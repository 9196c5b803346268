/**
 * The niches of the market with their things, materials, price ranges and seasons. listing-text.ts writes listings from them. They name no
 * brand. The order matters: a small world uses the first few.
 */
export interface Thing {
  readonly name: string
  /** possible materials */
  readonly materials: readonly string[]
  /** facts of its niche that do not apply: a laptop stand has no watts */
  readonly without: readonly string[]
}

export interface Niche {
  readonly category: string
  readonly niche: string
  /** usual prices, in the shop's currency */
  readonly from: number
  readonly to: number
  readonly things: readonly Thing[]
  /** further facts by name, with the values they may have */
  readonly facts: Readonly<Record<string, readonly string[]>>
  readonly keywords: readonly string[]
  /** day of the year when it sells best, how much better in logs, and how much it is a Christmas present */
  readonly peak: number
  readonly swing: number
  readonly gift: number
  /** heavy goods cost more to ship */
  readonly bulky: boolean
}

const list = (text: string): readonly string[] => text.split(', ')

/**
 * One niche a paragraph. Its first line has the category, the niche, the usual prices, the season and whether it is bulky. Then come
 * its things (name, materials, facts that do not apply), its facts with their values, and its keywords.
 */
const CATALOGUE = `Office | Ergonomic Chairs | 49-189 | peak 260, swing 0.18, gift 0.05 | bulky
  Mesh Desk Chair | Mesh
  Kneeling Chair | Linen, Birch | armrests
  Saddle Stool | Bonded Leather, Velvet | armrests
  Task Chair | Mesh, Linen, Velvet
  Reclining Office Chair | Bonded Leather, Linen
  Balance Stool | Moulded Foam, Linen | armrests
  Drafting Chair | Mesh, Bonded Leather
  Swivel Chair | Linen, Velvet, Mesh
  Wobble Stool | Moulded Foam, Linen | armrests
  Headrest Chair | Mesh, Bonded Leather
  seat height: 42-52 cm, 45-55 cm, 48-58 cm
  load up to: 110 kg, 120 kg, 136 kg, 150 kg
  armrests: fixed, adjustable in height, none
  keywords: office, ergonomic, desk chair, back support, home office, posture, lumbar

Coffee | pour over | 14-69 | peak 345, swing 0.2, gift 0.45
  Pour Over Dripper | Ceramic, Borosilicate Glass, Stainless Steel, Copper | capacity
  Gooseneck Kettle | Stainless Steel, Copper | cups, dishwasher safe
  Coffee Server | Borosilicate Glass, Ceramic
  Dripper Stand | Walnut, Stainless Steel | capacity, dishwasher safe
  Filter Set | Stainless Steel | capacity
  Pour Over Kit | Ceramic, Borosilicate Glass
  Brewing Scale | Stainless Steel, Walnut | capacity, cups, dishwasher safe
  Dripper and Mug Set | Ceramic, Borosilicate Glass
  capacity: 300 ml, 400 ml, 600 ml, 800 ml
  cups: 1-2, 2-4, 4-6
  dishwasher safe: yes, no
  keywords: coffee, pour over, filter coffee, barista, drip, brewing, slow coffee

Home Decor | Ambient Lighting | 15-89 | peak 330, swing 0.3, gift 0.35
  Table Lamp | Rattan, Frosted Glass, Oak, Brass, Ceramic
  Moon Lamp | Frosted Glass, Paper
  Sunset Projector | Brass, Oak | dimmable
  String Lights | Paper, Rattan, Brass
  Salt Lamp | Oak | dimmable
  Wall Sconce | Frosted Glass, Brass, Ceramic
  Mushroom Lamp | Frosted Glass, Ceramic
  Night Light | Frosted Glass, Oak, Ceramic
  Lantern | Paper, Rattan, Brass
  Floor Lamp | Rattan, Oak, Brass, Paper
  power: USB, mains, battery
  brightness: 80 lm, 150 lm, 300 lm, 450 lm
  dimmable: yes, no
  keywords: lamp, mood light, bedroom, cosy, decor, warm light

Kitchen | Food Storage | 12-59 | peak 15, swing 0.15, gift 0.1
  Storage Jar Set | Glass, Stoneware
  Bread Box | Bamboo, Stainless Steel | capacity, pieces, dishwasher safe
  Vacuum Container Set | Glass, Stainless Steel
  Lunch Box | Stainless Steel, Glass, Silicone
  Spice Rack | Bamboo, Stainless Steel | capacity, dishwasher safe
  Fermenting Crock | Stoneware, Glass | pieces
  Pantry Box Set | Bamboo, Glass
  Butter Dish | Stoneware, Glass, Stainless Steel | capacity, pieces
  Salad Keeper | Glass, Silicone
  capacity: 0.5 l, 1 l, 1.5 l, 2.5 l
  pieces: 1, 3, 5, 8
  dishwasher safe: yes, no
  keywords: kitchen, storage, pantry, meal prep, organiser, airtight

Pets | Dog Comfort | 16-99 | peak 340, swing 0.2, gift 0.25
  Dog Bed | Plush, Canvas, Memory Foam, Recycled Polyester
  Cooling Mat | Canvas, Recycled Polyester
  Raincoat | Recycled Polyester
  Car Seat Cover | Canvas, Recycled Polyester | for dogs up to
  Orthopaedic Cushion | Memory Foam
  Travel Blanket | Fleece, Plush, Recycled Polyester
  Fleece Sweater | Fleece
  Ramp | Canvas, Recycled Polyester | washable
  Raised Cot | Canvas, Recycled Polyester
  size: S, M, L, XL
  washable: at 30 degrees, at 40 degrees, cover only
  for dogs up to: 8 kg, 15 kg, 30 kg, 45 kg
  keywords: dog, pet, puppy, bed, comfort, washable

Fitness | Home Workout | 14-119 | peak 12, swing 0.45, gift 0.1
  Resistance Band Set | Latex | weight, foldable
  Push Up Board | Beech, Steel | weight
  Adjustable Dumbbell | Cast Iron, Steel | foldable
  Ab Roller | Steel, Beech | foldable
  Jump Rope | Neoprene, Steel | weight, foldable
  Suspension Trainer | Neoprene | weight
  Kettlebell | Cast Iron, Neoprene | foldable
  Balance Board | Beech | foldable
  Door Pull Up Bar | Steel | weight
  weight: 0.6 kg, 1.2 kg, 4 kg, 8 kg, 12 kg
  level: beginner, intermediate, advanced
  foldable: yes, no
  keywords: workout, home gym, strength, training, fitness, exercise

Outdoor | Camping Gear | 18-139 | peak 185, swing 0.6, gift 0.05
  Camping Lantern | Aluminium, Stainless Steel
  Folding Table | Aluminium
  Sleeping Pad | Ripstop Nylon, Oxford Cloth
  Hammock | Ripstop Nylon, Oxford Cloth
  Cook Set | Aluminium, Titanium, Stainless Steel | waterproof
  Dry Bag | Ripstop Nylon, Oxford Cloth
  Tarp | Ripstop Nylon, Oxford Cloth
  Camp Chair | Oxford Cloth, Aluminium | waterproof
  Water Carrier | Oxford Cloth, Stainless Steel | waterproof
  Fire Pit | Stainless Steel, Titanium | waterproof
  weight: 280 g, 450 g, 900 g, 1.8 kg
  packed size: 20 x 10 cm, 30 x 12 cm, 45 x 15 cm
  waterproof: yes, splash proof, no
  keywords: camping, outdoor, hiking, tent, travel, lightweight

Beauty | Skin Care Tools | 11-79 | peak 340, swing 0.1, gift 0.5
  Facial Roller | Rose Quartz, Jade | charging
  Cleansing Brush | Silicone, Bamboo
  Gua Sha Set | Rose Quartz, Jade, Stainless Steel | charging
  Face Steamer | Silicone | pieces
  Ice Roller | Stainless Steel, Silicone | charging
  Blackhead Remover | Stainless Steel, Silicone
  Silk Mask | Silk | charging
  LED Mirror | Bamboo, Stainless Steel | skin type, pieces
  Dermaplaning Set | Stainless Steel | charging
  skin type: all, dry, oily, sensitive
  charging: USB-C, none needed, battery
  pieces: 1, 2, 3, 6
  keywords: skin care, face, beauty, spa, glow, self care

Tech | Desk Gadgets | 15-99 | peak 330, swing 0.15, gift 0.4
  Wireless Charger | Aluminium, Walnut, Cork
  Laptop Stand | Aluminium, Walnut | connection, power
  Monitor Light Bar | Aluminium
  Cable Organiser | Felt, Walnut, Cork | connection, power
  Mechanical Keypad | Aluminium, Acrylic | power
  Phone Stand | Aluminium, Walnut, Acrylic | connection, power
  USB Hub | Aluminium
  Desk Clock | Walnut, Acrylic, Cork | works with
  Headphone Stand | Aluminium, Walnut, Acrylic | connection, power
  connection: USB-C, USB-A, wireless
  power: 5 W, 10 W, 15 W, 30 W
  works with: phones and tablets, laptops, most devices
  keywords: desk setup, gadget, charger, tech, workspace, usb

Coffee | espresso gear | 12-119 | peak 345, swing 0.15, gift 0.4
  Tamper | Stainless Steel, Olive Wood, Walnut | capacity, dishwasher safe
  Milk Pitcher | Stainless Steel | diameter
  Knock Box | Stainless Steel, Walnut | diameter, capacity
  Hand Grinder | Stainless Steel, Aluminium, Walnut | diameter, capacity, dishwasher safe
  Dosing Funnel | Aluminium, Stainless Steel | capacity
  Portafilter | Stainless Steel, Olive Wood | capacity, dishwasher safe
  Distribution Tool | Aluminium, Stainless Steel | capacity, dishwasher safe
  Espresso Cup Set | Porcelain | diameter
  Milk Frother | Stainless Steel, Aluminium | diameter
  diameter: 51 mm, 54 mm, 58 mm
  capacity: 60 ml, 350 ml, 600 ml
  dishwasher safe: yes, no
  keywords: coffee, espresso, barista, tamper, latte art, home barista

Home Decor | Wall Art | 14-99 | peak 320, swing 0.15, gift 0.25
  Canvas Print | Canvas
  Macrame Hanging | Cotton | frame
  Wall Clock | Oak, Metal | frame
  Round Mirror | Oak, Metal, Rattan
  Poster Set | Paper
  Floating Shelf | Oak, Metal | frame
  Tapestry | Cotton | frame
  Photo Ledge | Oak, Metal | frame
  Wall Planter | Metal, Rattan | frame
  size: 30 x 40 cm, 50 x 70 cm, 60 x 60 cm, 70 x 100 cm
  hanging: hooks included, adhesive strips, screws
  frame: oak, black, none
  keywords: wall art, decor, living room, poster, interior, boho

Kitchen | Baking | 10-69 | peak 335, swing 0.35, gift 0.2
  Proofing Basket | Rattan | heat up to, dishwasher safe
  Silicone Baking Mat | Silicone
  Cake Tin | Carbon Steel
  Pastry Brush Set | Silicone, Beech | size, heat up to
  Rolling Pin | Beech | heat up to
  Cookie Press | Carbon Steel | size, heat up to
  Bread Knife | Carbon Steel | size, heat up to
  Pizza Stone | Cordierite
  Kitchen Scale | Carbon Steel | size, heat up to, dishwasher safe
  size: 22 cm, 25 cm, 28 cm, 30 x 40 cm
  heat up to: 220 degrees, 250 degrees, 300 degrees
  dishwasher safe: yes, no
  keywords: baking, bread, sourdough, cake, oven, kitchen

Pets | Cat Toys | 9-59 | peak 345, swing 0.1, gift 0.3
  Feather Wand | Beech, Felt | power
  Puzzle Feeder | Beech, Cardboard | power
  Scratching Post | Sisal, Plush | power
  Laser Ball | Plush, Felt | height
  Tunnel | Felt, Plush, Cardboard | power
  Catnip Mice Set | Felt, Plush, Sisal | power, height
  Window Perch | Plush, Felt | power
  Rolling Track | Beech, Cardboard | power
  Climbing Shelf | Beech, Sisal | power
  age: kittens, adult cats, all ages
  power: none, USB, battery
  height: 10 cm, 35 cm, 60 cm
  keywords: cat, kitten, toy, play, pet, scratching

Fitness | Yoga | 12-79 | peak 10, swing 0.35, gift 0.15
  Yoga Mat | Cork, Natural Rubber, TPE Foam
  Yoga Block Set | Cork, TPE Foam | thickness, length
  Meditation Cushion | Cotton, Buckwheat | thickness, length
  Yoga Wheel | Cork, TPE Foam | thickness, length
  Stretching Strap | Cotton | thickness
  Acupressure Mat | Cotton | thickness, length
  Bolster | Cotton, Buckwheat | thickness, length
  Foam Roller | Cork, TPE Foam | thickness, length
  thickness: 4 mm, 6 mm, 8 mm
  length: 173 cm, 183 cm, 200 cm
  washable: yes, wipe clean
  keywords: yoga, pilates, meditation, stretching, mat, wellness

Outdoor | Garden | 13-109 | peak 130, swing 0.65, gift 0
  Raised Bed | Galvanised Steel, Cedar
  Solar Path Light | Recycled Plastic, Zinc | size
  Watering Can | Galvanised Steel, Zinc, Recycled Plastic | size
  Planter Box | Cedar, Terracotta, Zinc, Recycled Plastic
  Pruning Shears | Galvanised Steel | size, frost proof, weight
  Bird Feeder | Cedar, Zinc, Recycled Plastic | size
  Garden Kneeler | Recycled Plastic, Galvanised Steel | size
  Hose Reel | Galvanised Steel, Recycled Plastic | size
  Herb Spiral | Galvanised Steel, Cedar
  size: 40 cm, 60 cm, 80 cm, 120 cm
  frost proof: yes, no
  weight: 0.8 kg, 2 kg, 4.5 kg
  keywords: garden, balcony, plants, outdoor, planter, spring

Beauty | Hair Styling | 10-89 | peak 340, swing 0.1, gift 0.35
  Heatless Curl Set | Satin | power
  Hair Towel | Bamboo, Satin | power
  Scalp Massager | Silicone, Bamboo | power
  Detangling Brush | Bamboo, Boar Bristle | power
  Hot Air Brush | Ceramic, Boar Bristle | pieces
  Satin Bonnet | Satin | power
  Hair Clip Set | Satin, Silicone | power
  Travel Straightener | Ceramic | pieces
  hair type: all, curly, fine, thick
  power: none, 35 W, 800 W
  pieces: 1, 2, 4, 8
  keywords: hair, curls, styling, beauty, brush, heatless

Tech | Travel Tech | 14-119 | peak 180, swing 0.3, gift 0.3
  Travel Adapter | Recycled Plastic | battery
  Power Bank | Aluminium, Recycled Plastic
  Tracker Tag | Aluminium, Silicone | battery, weight
  Luggage Scale | Aluminium, Recycled Plastic | battery, connection
  Neck Fan | Silicone, Recycled Plastic
  Noise Machine | Silicone, Recycled Plastic
  Cable Pouch | Canvas, Silicone | battery, connection
  Foldable Keyboard | Aluminium, Silicone
  Mini Projector | Aluminium, Recycled Plastic | weight
  battery: none, 2000 mAh, 5000 mAh, 10000 mAh
  weight: 60 g, 140 g, 240 g
  connection: USB-C, USB-A, Bluetooth
  keywords: travel, gadget, portable, usb-c, charger, holiday

Coffee | cold brew | 12-59 | peak 190, swing 0.55, gift 0.05
  Cold Brew Maker | Borosilicate Glass, Stainless Steel, Tritan
  Infusion Bottle | Borosilicate Glass, Tritan
  Drip Tower | Borosilicate Glass, Bamboo
  Iced Coffee Glass Set | Borosilicate Glass | brewing time
  Nitro Keg | Stainless Steel
  Reusable Filter | Stainless Steel | capacity, brewing time
  Cold Brew Carafe | Borosilicate Glass, Tritan
  capacity: 0.6 l, 1 l, 1.5 l, 2 l
  brewing time: 8 hours, 12 hours, 18 hours
  dishwasher safe: yes, no
  keywords: coffee, cold brew, iced coffee, summer, carafe, brewing

Office | Standing Desks | 39-199 | peak 20, swing 0.2, gift 0 | bulky
  Desk Converter | Steel, Bamboo, Oak
  Standing Mat | Memory Foam | load up to, assembly
  Monitor Arm | Steel, Aluminium | width
  Footrest | Memory Foam, Bamboo | width
  Under Desk Drawer | Steel, Oak, Bamboo
  Cable Tray | Steel, Aluminium
  Folding Laptop Desk | Bamboo, Oak, Aluminium
  Desk Shelf | Oak, Bamboo, Steel
  load up to: 8 kg, 15 kg, 40 kg
  width: 60 cm, 80 cm, 95 cm
  assembly: none, 10 minutes, 30 minutes
  keywords: office, standing desk, home office, ergonomic, workspace

Home Decor | Textiles | 14-89 | peak 325, swing 0.35, gift 0.2
  Throw Blanket | Cotton, Wool, Linen | pieces
  Cushion Cover Set | Linen, Cotton, Velvet | size
  Linen Curtain | Linen | size
  Table Runner | Linen, Cotton, Jute | size, pieces
  Bedspread | Cotton, Linen, Velvet | size, pieces
  Chunky Knit Throw | Wool, Cotton | pieces
  Bath Towel Set | Cotton, Linen | size
  Rug | Wool, Jute, Cotton | pieces
  size: 45 x 45 cm, 130 x 170 cm, 140 x 245 cm
  washable: at 30 degrees, at 40 degrees, by hand
  pieces: 1, 2, 4
  keywords: blanket, cushion, cosy, textile, living room, decor

Kitchen | Cooking Tools | 10-79 | peak 340, swing 0.1, gift 0.2
  Mandoline | Stainless Steel | size, works on induction
  Herb Scissors | Stainless Steel | works on induction
  Cast Iron Pan | Cast Iron
  Garlic Press | Stainless Steel | size, works on induction
  Chopping Board | Acacia | works on induction
  Pepper Mill | Acacia, Stainless Steel | works on induction, dishwasher safe
  Wok | Carbon Steel, Cast Iron
  Knife Block | Acacia | size, works on induction, dishwasher safe
  Spatula Set | Silicone, Stainless Steel, Acacia | works on induction
  size: 18 cm, 24 cm, 28 cm, 33 cm
  works on induction: yes, no
  dishwasher safe: yes, no
  keywords: kitchen, cooking, chef, tools, knife, gift

Outdoor | Cycling | 12-89 | peak 165, swing 0.5, gift 0.1
  Phone Mount | Aluminium, Silicone | waterproof
  Saddle Bag | Waxed Canvas, Recycled Polyester
  Rear Light | Aluminium, Silicone
  Pannier | Waxed Canvas, Recycled Polyester
  Floor Pump | Steel, Aluminium | weight, waterproof, mounting
  Bike Lock | Steel | waterproof
  Rain Cover | Recycled Polyester, Waxed Canvas | mounting
  Multi Tool | Steel | waterproof, mounting
  Bottle Cage | Aluminium, Steel | waterproof
  weight: 90 g, 240 g, 700 g
  waterproof: yes, splash proof, no
  mounting: without tools, hex key, strap
  keywords: bike, cycling, commute, bicycle, ride, outdoor

Tech | Smart Home | 13-129 | peak 335, swing 0.25, gift 0.3
  Smart Plug Set | White Plastic | power
  Door Sensor | White Plastic
  LED Strip | Silicone
  Motion Light | White Plastic, Aluminium
  Air Quality Monitor | White Plastic, Aluminium | pieces
  Indoor Camera | White Plastic | pieces
  Smart Bulb Set | Frosted Glass, White Plastic | power
  Plant Sensor | White Plastic
  connection: WiFi, Zigbee, Bluetooth
  power: mains, USB-C, battery
  pieces: 1, 2, 4
  keywords: smart home, automation, led, sensor, wifi, energy

Beauty | Bath and Body | 9-49 | peak 345, swing 0.15, gift 0.55
  Bath Pillow | Cotton, Silicone | scent, vegan
  Body Brush | Bamboo, Sisal | scent
  Aroma Diffuser | Stoneware, Bamboo | scent, pieces, vegan
  Soap Dish Set | Stoneware, Bamboo | scent, vegan
  Massage Oil Set | Glass
  Shower Steamer Set | Sea Salt
  Exfoliating Glove | Sisal, Cotton | scent
  Bath Caddy | Bamboo | scent, pieces, vegan
  scent: none, lavender, citrus, eucalyptus
  pieces: 1, 3, 6, 12
  vegan: yes, no
  keywords: bath, spa, body care, relax, wellness, gift`

const HEAD =
  /^(?<category>.+) \| (?<niche>.+) \| (?<from>\d+)-(?<to>\d+) \| peak (?<peak>\d+), swing (?<swing>[\d.]+), gift (?<gift>[\d.]+)(?<bulky> \| bulky)?$/

const readNiche = (paragraph: string): Niche => {
  const [head = '', ...lines] = paragraph.split('\n').map((line) => line.trim())
  const { category, niche, from, to, peak, swing, gift, bulky } = HEAD.exec(head)?.groups ?? {}
  if (category === undefined || niche === undefined) throw new Error(`This is not the first line of a niche: ${head}`)
  const things = lines.filter((line) => line.includes(' | ')).map((line) => line.split(' | '))
  const rows = lines.filter((line) => line.includes(': ')).map((line) => line.split(': '))
  const { keywords = [], ...facts } = Object.fromEntries(rows.map(([name, values = '']) => [name, list(values)]))
  return {
    category,
    niche,
    things: things.map(([name = '', materials = '', without = '']) => ({
      name,
      materials: list(materials),
      without: list(without),
    })),
    facts,
    keywords,
    from: Number(from),
    to: Number(to),
    peak: Number(peak),
    swing: Number(swing),
    gift: Number(gift),
    bulky: bulky !== undefined,
  }
}

export const NICHES: readonly Niche[] = CATALOGUE.split('\n\n').map(readNiche)

const COLOURS = list(
  'Red, Black, White, Sage Green, Navy, Sand, Terracotta, Grey, Blush, Mustard, Forest Green, Charcoal',
)

/** Undyed and unpainted materials have their own colours. All other materials come in every colour. */
const OWN_COLOURS: Readonly<Record<string, string>> = {
  'Acacia, Bamboo, Beech, Birch, Cedar, Oak, Olive Wood, Walnut': 'Natural, Oiled',
  'Buckwheat, Cardboard, Cork, Jute, Rattan, Sisal': 'Natural',
  'Aluminium, Galvanised Steel, Stainless Steel, Steel, Titanium, Zinc': 'Silver, Black, Graphite',
  'Carbon Steel, Cast Iron': 'Black, Graphite',
  'Borosilicate Glass, Glass, Tritan, Acrylic': 'Clear, Smoke',
  'Boar Bristle, Frosted Glass, Paper, Sea Salt, White Plastic': 'White',
  Brass: 'Brass',
  Copper: 'Copper',
  Cordierite: 'Sand',
  Jade: 'Green',
  'Rose Quartz': 'Rose',
  Terracotta: 'Terracotta',
}
const ownColours = new Map(
  Object.entries(OWN_COLOURS).flatMap(([materials, colours]) =>
    list(materials).map((one) => [one, list(colours)] as const),
  ),
)

/** The colours of things of a material, and whether a title may name them because they tell two listings apart. */
export const coloursOf = (material: string): { readonly colours: readonly string[]; readonly telling: boolean } => {
  const own = ownColours.get(material)
  return { colours: own ?? COLOURS, telling: own === undefined || own.length > 1 }
}

/** Words that tell one listing from the next and are true of any thing. */
export const QUALITIES = list(
  'Classic, Premium, Everyday, Modern, Minimal, Essential, Original, Signature, Simple, Timeless, Favourite, Elegant',
)
