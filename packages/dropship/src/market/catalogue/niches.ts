/**
 * What the market trades in: niches with their things, materials, price bands and seasons. Words only; what a listing of a niche
 * is called and known for is made from them. No brand is named. The order matters: a small world takes the first few.
 */
export interface Niche {
  readonly category: string
  readonly niche: string
  /** usual prices, in the shop's currency */
  readonly from: number
  readonly to: number
  readonly things: readonly string[]
  readonly materials: readonly string[]
  /** further facts by name, with the values they may have */
  readonly facts: Readonly<Record<string, readonly string[]>>
  readonly keywords: readonly string[]
  /** day of the year when it sells best, how much better in logs, and how much it is a Christmas present */
  readonly peak: number
  readonly swing: number
  readonly gift: number
  /** heavy goods cost more to ship */
  readonly bulky?: boolean
}

const list = (text: string): readonly string[] => text.split(', ')

export const NICHES: readonly Niche[] = [
  {
    category: 'Office',
    niche: 'Ergonomic Chairs',
    from: 49,
    to: 189,
    bulky: true,
    peak: 260,
    swing: 0.18,
    gift: 0.05,
    things: list(
      'Mesh Desk Chair, Kneeling Chair, Saddle Stool, Task Chair, Reclining Office Chair, Balance Stool, Drafting Chair, Swivel Chair, Wobble Stool, Headrest Chair',
    ),
    materials: list('Mesh, Bonded Leather, Linen, Velvet, Birch, Moulded Foam'),
    facts: {
      'seat height': list('42-52 cm, 45-55 cm, 48-58 cm'),
      'load up to': list('110 kg, 120 kg, 136 kg, 150 kg'),
      armrests: list('fixed, adjustable in height, none'),
    },
    keywords: list('office, ergonomic, desk chair, back support, home office, posture, lumbar'),
  },
  {
    category: 'Coffee',
    niche: 'pour over',
    from: 14,
    to: 69,
    peak: 345,
    swing: 0.2,
    gift: 0.45,
    things: list(
      'Pour Over Dripper, Gooseneck Kettle, Coffee Server, Dripper Stand, Filter Set, Pour Over Kit, Brewing Scale, Dripper and Mug Set',
    ),
    materials: list('Ceramic, Borosilicate Glass, Stainless Steel, Walnut, Copper'),
    facts: {
      capacity: list('300 ml, 400 ml, 600 ml, 800 ml'),
      cups: list('1-2, 2-4, 4-6'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('coffee, pour over, filter coffee, barista, drip, brewing, slow coffee'),
  },
  {
    category: 'Home Decor',
    niche: 'Ambient Lighting',
    from: 15,
    to: 89,
    peak: 330,
    swing: 0.3,
    gift: 0.35,
    things: list(
      'Table Lamp, Moon Lamp, Sunset Projector, String Lights, Salt Lamp, Wall Sconce, Mushroom Lamp, Night Light, Lantern, Floor Lamp',
    ),
    materials: list('Rattan, Frosted Glass, Oak, Paper, Brass, Ceramic'),
    facts: {
      power: list('USB, mains, battery'),
      brightness: list('80 lm, 150 lm, 300 lm, 450 lm'),
      dimmable: list('yes, no'),
    },
    keywords: list('lamp, mood light, bedroom, cosy, decor, warm light'),
  },
  {
    category: 'Kitchen',
    niche: 'Food Storage',
    from: 12,
    to: 59,
    peak: 15,
    swing: 0.15,
    gift: 0.1,
    things: list(
      'Storage Jar Set, Bread Box, Vacuum Container Set, Lunch Box, Spice Rack, Fermenting Crock, Pantry Box Set, Butter Dish, Salad Keeper',
    ),
    materials: list('Bamboo, Glass, Stainless Steel, Silicone, Stoneware'),
    facts: {
      capacity: list('0.5 l, 1 l, 1.5 l, 2.5 l'),
      pieces: list('1, 3, 5, 8'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('kitchen, storage, pantry, meal prep, organiser, airtight'),
  },
  {
    category: 'Pets',
    niche: 'Dog Comfort',
    from: 16,
    to: 99,
    peak: 340,
    swing: 0.2,
    gift: 0.25,
    things: list(
      'Dog Bed, Cooling Mat, Raincoat, Car Seat Cover, Orthopaedic Cushion, Travel Blanket, Fleece Sweater, Ramp, Raised Cot',
    ),
    materials: list('Plush, Canvas, Memory Foam, Fleece, Recycled Polyester'),
    facts: {
      size: list('S, M, L, XL'),
      washable: list('at 30 degrees, at 40 degrees, cover only'),
      'for dogs up to': list('8 kg, 15 kg, 30 kg, 45 kg'),
    },
    keywords: list('dog, pet, puppy, bed, comfort, washable'),
  },
  {
    category: 'Fitness',
    niche: 'Home Workout',
    from: 14,
    to: 119,
    peak: 12,
    swing: 0.45,
    gift: 0.1,
    things: list(
      'Resistance Band Set, Push Up Board, Adjustable Dumbbell, Ab Roller, Jump Rope, Suspension Trainer, Kettlebell, Balance Board, Door Pull Up Bar',
    ),
    materials: list('Latex, Cast Iron, Neoprene, Beech, Steel'),
    facts: {
      weight: list('0.6 kg, 1.2 kg, 4 kg, 8 kg, 12 kg'),
      level: list('beginner, intermediate, advanced'),
      foldable: list('yes, no'),
    },
    keywords: list('workout, home gym, strength, training, fitness, exercise'),
  },
  {
    category: 'Outdoor',
    niche: 'Camping Gear',
    from: 18,
    to: 139,
    peak: 185,
    swing: 0.6,
    gift: 0.05,
    things: list(
      'Camping Lantern, Folding Table, Sleeping Pad, Hammock, Cook Set, Dry Bag, Tarp, Camp Chair, Water Carrier, Fire Pit',
    ),
    materials: list('Ripstop Nylon, Aluminium, Titanium, Oxford Cloth, Stainless Steel'),
    facts: {
      weight: list('280 g, 450 g, 900 g, 1.8 kg'),
      'packed size': list('20 x 10 cm, 30 x 12 cm, 45 x 15 cm'),
      waterproof: list('yes, splash proof, no'),
    },
    keywords: list('camping, outdoor, hiking, tent, travel, lightweight'),
  },
  {
    category: 'Beauty',
    niche: 'Skin Care Tools',
    from: 11,
    to: 79,
    peak: 340,
    swing: 0.1,
    gift: 0.5,
    things: list(
      'Facial Roller, Cleansing Brush, Gua Sha Set, Face Steamer, Ice Roller, Blackhead Remover, Silk Mask, LED Mirror, Dermaplaning Set',
    ),
    materials: list('Rose Quartz, Silicone, Stainless Steel, Jade, Bamboo'),
    facts: {
      'skin type': list('all, dry, oily, sensitive'),
      charging: list('USB-C, none needed, battery'),
      pieces: list('1, 2, 3, 6'),
    },
    keywords: list('skin care, face, beauty, spa, glow, self care'),
  },
  {
    category: 'Tech',
    niche: 'Desk Gadgets',
    from: 15,
    to: 99,
    peak: 330,
    swing: 0.15,
    gift: 0.4,
    things: list(
      'Wireless Charger, Laptop Stand, Monitor Light Bar, Cable Organiser, Mechanical Keypad, Phone Stand, USB Hub, Desk Clock, Headphone Stand',
    ),
    materials: list('Aluminium, Walnut, Felt, Acrylic, Cork'),
    facts: {
      connection: list('USB-C, USB-A, wireless'),
      power: list('5 W, 10 W, 15 W, 30 W'),
      'works with': list('phones and tablets, laptops, most devices'),
    },
    keywords: list('desk setup, gadget, charger, tech, workspace, usb'),
  },
  {
    category: 'Coffee',
    niche: 'espresso gear',
    from: 12,
    to: 119,
    peak: 345,
    swing: 0.15,
    gift: 0.4,
    things: list(
      'Tamper, Milk Pitcher, Knock Box, Hand Grinder, Dosing Funnel, Portafilter, Distribution Tool, Espresso Cup Set, Milk Frother',
    ),
    materials: list('Stainless Steel, Olive Wood, Aluminium, Porcelain, Walnut'),
    facts: {
      diameter: list('51 mm, 54 mm, 58 mm'),
      capacity: list('60 ml, 350 ml, 600 ml'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('coffee, espresso, barista, tamper, latte art, home barista'),
  },
  {
    category: 'Home Decor',
    niche: 'Wall Art',
    from: 14,
    to: 99,
    peak: 320,
    swing: 0.15,
    gift: 0.25,
    things: list(
      'Canvas Print, Macrame Hanging, Wall Clock, Round Mirror, Poster Set, Floating Shelf, Tapestry, Photo Ledge, Wall Planter',
    ),
    materials: list('Canvas, Cotton, Oak, Metal, Rattan'),
    facts: {
      size: list('30 x 40 cm, 50 x 70 cm, 60 x 60 cm, 70 x 100 cm'),
      hanging: list('hooks included, adhesive strips, screws'),
      frame: list('oak, black, none'),
    },
    keywords: list('wall art, decor, living room, poster, interior, boho'),
  },
  {
    category: 'Kitchen',
    niche: 'Baking',
    from: 10,
    to: 69,
    peak: 335,
    swing: 0.35,
    gift: 0.2,
    things: list(
      'Proofing Basket, Silicone Baking Mat, Cake Tin, Pastry Brush Set, Rolling Pin, Cookie Press, Bread Knife, Pizza Stone, Kitchen Scale',
    ),
    materials: list('Silicone, Beech, Cordierite, Carbon Steel, Rattan'),
    facts: {
      size: list('22 cm, 25 cm, 28 cm, 30 x 40 cm'),
      'heat up to': list('220 degrees, 250 degrees, 300 degrees'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('baking, bread, sourdough, cake, oven, kitchen'),
  },
  {
    category: 'Pets',
    niche: 'Cat Toys',
    from: 9,
    to: 59,
    peak: 345,
    swing: 0.1,
    gift: 0.3,
    things: list(
      'Feather Wand, Puzzle Feeder, Scratching Post, Laser Ball, Tunnel, Catnip Mice Set, Window Perch, Rolling Track, Climbing Shelf',
    ),
    materials: list('Sisal, Felt, Plush, Cardboard, Beech'),
    facts: {
      age: list('kittens, adult cats, all ages'),
      power: list('none, USB, battery'),
      height: list('10 cm, 35 cm, 60 cm'),
    },
    keywords: list('cat, kitten, toy, play, pet, scratching'),
  },
  {
    category: 'Fitness',
    niche: 'Yoga',
    from: 12,
    to: 79,
    peak: 10,
    swing: 0.35,
    gift: 0.15,
    things: list(
      'Yoga Mat, Yoga Block Set, Meditation Cushion, Yoga Wheel, Stretching Strap, Acupressure Mat, Bolster, Foam Roller',
    ),
    materials: list('Cork, Natural Rubber, Cotton, Buckwheat, TPE Foam'),
    facts: {
      thickness: list('4 mm, 6 mm, 8 mm'),
      length: list('173 cm, 183 cm, 200 cm'),
      washable: list('yes, wipe clean'),
    },
    keywords: list('yoga, pilates, meditation, stretching, mat, wellness'),
  },
  {
    category: 'Outdoor',
    niche: 'Garden',
    from: 13,
    to: 109,
    peak: 130,
    swing: 0.65,
    gift: 0,
    things: list(
      'Raised Bed, Solar Path Light, Watering Can, Planter Box, Pruning Shears, Bird Feeder, Garden Kneeler, Hose Reel, Herb Spiral',
    ),
    materials: list('Galvanised Steel, Cedar, Terracotta, Zinc, Recycled Plastic'),
    facts: {
      size: list('40 cm, 60 cm, 80 cm, 120 cm'),
      'frost proof': list('yes, no'),
      weight: list('0.8 kg, 2 kg, 4.5 kg'),
    },
    keywords: list('garden, balcony, plants, outdoor, planter, spring'),
  },
  {
    category: 'Beauty',
    niche: 'Hair Styling',
    from: 10,
    to: 89,
    peak: 340,
    swing: 0.1,
    gift: 0.35,
    things: list(
      'Heatless Curl Set, Hair Towel, Scalp Massager, Detangling Brush, Hot Air Brush, Satin Bonnet, Hair Clip Set, Travel Straightener',
    ),
    materials: list('Satin, Bamboo, Silicone, Boar Bristle, Ceramic'),
    facts: {
      'hair type': list('all, curly, fine, thick'),
      power: list('none, 35 W, 800 W'),
      pieces: list('1, 2, 4, 8'),
    },
    keywords: list('hair, curls, styling, beauty, brush, heatless'),
  },
  {
    category: 'Tech',
    niche: 'Travel Tech',
    from: 14,
    to: 119,
    peak: 180,
    swing: 0.3,
    gift: 0.3,
    things: list(
      'Travel Adapter, Power Bank, Tracker Tag, Luggage Scale, Neck Fan, Noise Machine, Cable Pouch, Foldable Keyboard, Mini Projector',
    ),
    materials: list('Aluminium, Silicone, Canvas, Recycled Plastic'),
    facts: {
      battery: list('none, 2000 mAh, 5000 mAh, 10000 mAh'),
      weight: list('60 g, 140 g, 240 g'),
      connection: list('USB-C, USB-A, Bluetooth'),
    },
    keywords: list('travel, gadget, portable, usb-c, charger, holiday'),
  },
  {
    category: 'Coffee',
    niche: 'cold brew',
    from: 12,
    to: 59,
    peak: 190,
    swing: 0.55,
    gift: 0.05,
    things: list(
      'Cold Brew Maker, Infusion Bottle, Drip Tower, Iced Coffee Glass Set, Nitro Keg, Reusable Filter, Cold Brew Carafe',
    ),
    materials: list('Borosilicate Glass, Stainless Steel, Tritan, Bamboo'),
    facts: {
      capacity: list('0.6 l, 1 l, 1.5 l, 2 l'),
      'brewing time': list('8 hours, 12 hours, 18 hours'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('coffee, cold brew, iced coffee, summer, carafe, brewing'),
  },
  {
    category: 'Office',
    niche: 'Standing Desks',
    from: 39,
    to: 199,
    bulky: true,
    peak: 20,
    swing: 0.2,
    gift: 0,
    things: list(
      'Desk Converter, Standing Mat, Monitor Arm, Footrest, Under Desk Drawer, Cable Tray, Folding Laptop Desk, Desk Shelf',
    ),
    materials: list('Steel, Bamboo, Oak, Memory Foam, Aluminium'),
    facts: {
      'load up to': list('8 kg, 15 kg, 40 kg'),
      width: list('60 cm, 80 cm, 95 cm'),
      assembly: list('none, 10 minutes, 30 minutes'),
    },
    keywords: list('office, standing desk, home office, ergonomic, workspace'),
  },
  {
    category: 'Home Decor',
    niche: 'Textiles',
    from: 14,
    to: 89,
    peak: 325,
    swing: 0.35,
    gift: 0.2,
    things: list(
      'Throw Blanket, Cushion Cover Set, Linen Curtain, Table Runner, Bedspread, Chunky Knit Throw, Bath Towel Set, Rug',
    ),
    materials: list('Linen, Cotton, Wool, Velvet, Jute'),
    facts: {
      size: list('45 x 45 cm, 130 x 170 cm, 140 x 245 cm'),
      washable: list('at 30 degrees, at 40 degrees, by hand'),
      pieces: list('1, 2, 4'),
    },
    keywords: list('blanket, cushion, cosy, textile, living room, decor'),
  },
  {
    category: 'Kitchen',
    niche: 'Cooking Tools',
    from: 10,
    to: 79,
    peak: 340,
    swing: 0.1,
    gift: 0.2,
    things: list(
      'Mandoline, Herb Scissors, Cast Iron Pan, Garlic Press, Chopping Board, Pepper Mill, Wok, Knife Block, Spatula Set',
    ),
    materials: list('Acacia, Cast Iron, Stainless Steel, Silicone, Carbon Steel'),
    facts: {
      size: list('18 cm, 24 cm, 28 cm, 33 cm'),
      'works on induction': list('yes, no'),
      'dishwasher safe': list('yes, no'),
    },
    keywords: list('kitchen, cooking, chef, tools, knife, gift'),
  },
  {
    category: 'Outdoor',
    niche: 'Cycling',
    from: 12,
    to: 89,
    peak: 165,
    swing: 0.5,
    gift: 0.1,
    things: list(
      'Phone Mount, Saddle Bag, Rear Light, Pannier, Floor Pump, Bike Lock, Rain Cover, Multi Tool, Bottle Cage',
    ),
    materials: list('Aluminium, Silicone, Steel, Waxed Canvas'),
    facts: {
      weight: list('90 g, 240 g, 700 g'),
      waterproof: list('yes, splash proof, no'),
      mounting: list('without tools, hex key, strap'),
    },
    keywords: list('bike, cycling, commute, bicycle, ride, outdoor'),
  },
  {
    category: 'Tech',
    niche: 'Smart Home',
    from: 13,
    to: 129,
    peak: 335,
    swing: 0.25,
    gift: 0.3,
    things: list(
      'Smart Plug Set, Door Sensor, LED Strip, Motion Light, Air Quality Monitor, Indoor Camera, Smart Bulb Set, Plant Sensor',
    ),
    materials: list('White Plastic, Aluminium, Frosted Glass'),
    facts: {
      connection: list('WiFi, Zigbee, Bluetooth'),
      power: list('mains, USB-C, battery'),
      pieces: list('1, 2, 4'),
    },
    keywords: list('smart home, automation, led, sensor, wifi, energy'),
  },
  {
    category: 'Beauty',
    niche: 'Bath and Body',
    from: 9,
    to: 49,
    peak: 345,
    swing: 0.15,
    gift: 0.55,
    things: list(
      'Bath Pillow, Body Brush, Aroma Diffuser, Soap Dish Set, Massage Oil Set, Shower Steamer Set, Exfoliating Glove, Bath Caddy',
    ),
    materials: list('Bamboo, Sisal, Stoneware, Cotton, Silicone'),
    facts: { scent: list('none, lavender, citrus, eucalyptus'), pieces: list('1, 3, 6, 12'), vegan: list('yes, no') },
    keywords: list('bath, spa, body care, relax, wellness, gift'),
  },
]

export const COLOURS = list(
  'Red, Black, White, Sage Green, Navy, Sand, Terracotta, Grey, Blush, Mustard, Forest Green, Charcoal',
)

/** What goes before or after a name to tell one listing from the next. */
export const QUALITIES = list(
  'Compact, Classic, Foldable, Handmade, Large, Slim, Portable, Premium, Everyday, Modern, Rustic, Minimal',
)
