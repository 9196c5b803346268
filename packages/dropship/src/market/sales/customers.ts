/** Draws customers: a name, an address with a postal code in its country's format, and an email at a domain reserved for examples. */
import type { Order } from '../../ports.ts'
import { type Dice, integerBetween, pick, pickByShare } from '../random.ts'

interface Country {
  readonly country: string
  /** share of customers */
  readonly share: number
  readonly first: readonly string[]
  readonly last: readonly string[]
  readonly streets: readonly string[]
  /** city and the start of its postal codes */
  readonly cities: readonly (readonly [string, string])[]
  /** 9 is a digit, A a letter; the city's prefix replaces the first digits */
  readonly code: string
  readonly number: 'after' | 'before'
}

/**
 * One country a paragraph. Its first line has the code, the share of customers, the format of postal codes and where the house number
 * goes. Then come first names, last names, streets, and cities with the start of their postal codes.
 */
const TABLE = `DE | 0.36 | 99999 | after
  Anna, Lukas, Marie, Jonas, Lena, Paul, Sophie, Felix, Clara, Max, Ida, Emil
  Becker, Hoffmann, Krause, Lange, Neumann, Schulz, Vogel, Winter, Brandt, Keller, Jansen, Roth
  Gartenstraße, Lindenweg, Bahnhofstraße, Schillerstraße, Am Markt, Rosenweg, Bergstraße
  Berlin 10, Hamburg 20, München 80, Köln 50, Leipzig 04, Stuttgart 70

NL | 0.16 | 9999 AA | after
  Sanne, Daan, Emma, Bram, Julia, Sem, Fleur, Thijs, Lotte, Ruben
  de Vries, Bakker, Visser, Smit, Mulder, Bos, Dekker, van Dijk, Kuipers
  Kerkstraat, Molenweg, Dorpsstraat, Julianalaan, Beatrixstraat, Nieuwstraat
  Amsterdam 10, Utrecht 35, Rotterdam 30, Groningen 97, Eindhoven 56

AT | 0.1 | 9999 | after
  Johanna, Tobias, Katharina, Florian, Theresa, Matthias, Magdalena, David
  Gruber, Huber, Wagner, Pichler, Steiner, Moser, Leitner, Eder
  Hauptstraße, Feldgasse, Kirchengasse, Wiener Straße, Bachweg
  Wien 1, Graz 80, Linz 40, Salzburg 50, Innsbruck 60

FR | 0.14 | 99999 | before
  Camille, Hugo, Chloé, Louis, Manon, Jules, Inès, Arthur, Léa, Nathan
  Martin, Bernard, Dubois, Moreau, Laurent, Girard, Roux, Fournier, Mercier
  rue de la Gare, avenue Victor Hugo, rue des Écoles, rue du Moulin, place de la Mairie
  Paris 750, Lyon 690, Nantes 440, Toulouse 310, Lille 590

BE | 0.07 | 9999 | after
  Elise, Noah, Louise, Arthur, Marie, Victor, Nora, Liam
  Peeters, Janssens, Maes, Jacobs, Willems, Claes, Lambert, Dupont
  Stationsstraat, Schoolstraat, Rue Neuve, Kapellelaan, Rue Haute
  Brussel 10, Antwerpen 20, Gent 90, Liège 40, Namur 50

IT | 0.07 | 99999 | after
  Giulia, Marco, Chiara, Luca, Sara, Matteo, Elena, Davide
  Rossi, Ferrari, Bianchi, Romano, Greco, Conti, Gallo, Fontana
  Via Roma, Via Garibaldi, Corso Italia, Via Mazzini, Via Dante
  Milano 201, Torino 101, Bologna 401, Firenze 501, Verona 371

ES | 0.06 | 99999 | after
  Lucía, Pablo, Carmen, Diego, Paula, Javier, Alba, Sergio
  García, Fernández, Romero, Navarro, Torres, Molina, Ortega, Serrano
  Calle Mayor, Calle del Sol, Avenida de la Paz, Calle Nueva, Paseo del Prado
  Madrid 280, Barcelona 080, Valencia 460, Sevilla 410

PL | 0.04 | 99-999 | after
  Zofia, Jakub, Maja, Szymon, Hanna, Filip, Alicja, Piotr
  Nowak, Wójcik, Kamińska, Zieliński, Mazur, Krawczyk, Kaczmarek, Dudek
  ul. Polna, ul. Leśna, ul. Szkolna, ul. Ogrodowa, ul. Lipowa
  Warszawa 00, Kraków 30, Gdańsk 80, Poznań 60`

const readCountry = (paragraph: string): Country => {
  const [head = '', ...lines] = paragraph.split('\n').map((line) => line.trim())
  const [country = '', share, code = '', number] = head.split(' | ')
  const [first = [], last = [], streets = [], cities = []] = lines.map((line) => line.split(', '))
  const places = cities.map((city) => city.split(' ') as [string, string])
  return {
    country,
    share: Number(share),
    code,
    number: number === 'before' ? 'before' : 'after',
    first,
    last,
    streets,
    cities: places,
  }
}

const COUNTRIES = TABLE.split('\n\n').map(readCountry) as [Country, ...Country[]]

const DOMAINS = ['example.com', 'example.org', 'example.net']
const LETTERS = 'ABCDEGHJKLMNPRSTVWXZ'

const postalCode = (dice: Dice, { code }: Country, start: string): string => {
  let made = ''
  let given = 0
  for (const sign of code) {
    if (sign === '9') made += given < start.length ? start[given++] : String(integerBetween(dice, 0, 9))
    else made += sign === 'A' ? LETTERS[integerBetween(dice, 0, LETTERS.length - 1)] : sign
  }
  return made
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase()

export type Customer = Pick<Order, 'email' | 'address'>

export const drawCustomer = (dice: Dice): Customer => {
  const home = pickByShare(dice, COUNTRIES)
  const first = pick(dice, home.first)
  const last = pick(dice, home.last)
  const [city, start] = pick(dice, home.cities)
  const street = pick(dice, home.streets)
  const number = integerBetween(dice, 1, 180)
  return {
    email: `${plain(first)}.${plain(last)}${integerBetween(dice, 1, 9999)}@${pick(dice, DOMAINS)}`,
    address: {
      name: `${first} ${last}`,
      street: home.number === 'after' ? `${street} ${number}` : `${number} ${street}`,
      city,
      postal_code: postalCode(dice, home, start),
      country: home.country,
    },
  }
}
