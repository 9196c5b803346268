/** Draws customers: a name, an address with a postal code in its country's format, and an email at a domain reserved for examples. */
import type { Address } from '../../ports.ts'
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

const list = (text: string): readonly string[] => text.split(', ')

/** Each a city and the start of its postal codes. */
const places = (text: string): Country['cities'] =>
  list(text).map((place) => {
    const [city = '', start = ''] = place.split(' ')
    return [city, start]
  })

const COUNTRIES: readonly [Country, ...Country[]] = [
  {
    country: 'DE',
    share: 0.36,
    code: '99999',
    number: 'after',
    first: list('Anna, Lukas, Marie, Jonas, Lena, Paul, Sophie, Felix, Clara, Max, Ida, Emil'),
    last: list('Becker, Hoffmann, Krause, Lange, Neumann, Schulz, Vogel, Winter, Brandt, Keller, Jansen, Roth'),
    streets: list('Gartenstraße, Lindenweg, Bahnhofstraße, Schillerstraße, Am Markt, Rosenweg, Bergstraße'),
    cities: places('Berlin 10, Hamburg 20, München 80, Köln 50, Leipzig 04, Stuttgart 70'),
  },
  {
    country: 'NL',
    share: 0.16,
    code: '9999 AA',
    number: 'after',
    first: list('Sanne, Daan, Emma, Bram, Julia, Sem, Fleur, Thijs, Lotte, Ruben'),
    last: list('de Vries, Bakker, Visser, Smit, Mulder, Bos, Dekker, van Dijk, Kuipers'),
    streets: list('Kerkstraat, Molenweg, Dorpsstraat, Julianalaan, Beatrixstraat, Nieuwstraat'),
    cities: places('Amsterdam 10, Utrecht 35, Rotterdam 30, Groningen 97, Eindhoven 56'),
  },
  {
    country: 'AT',
    share: 0.1,
    code: '9999',
    number: 'after',
    first: list('Johanna, Tobias, Katharina, Florian, Theresa, Matthias, Magdalena, David'),
    last: list('Gruber, Huber, Wagner, Pichler, Steiner, Moser, Leitner, Eder'),
    streets: list('Hauptstraße, Feldgasse, Kirchengasse, Wiener Straße, Bachweg'),
    cities: places('Wien 1, Graz 80, Linz 40, Salzburg 50, Innsbruck 60'),
  },
  {
    country: 'FR',
    share: 0.14,
    code: '99999',
    number: 'before',
    first: list('Camille, Hugo, Chloé, Louis, Manon, Jules, Inès, Arthur, Léa, Nathan'),
    last: list('Martin, Bernard, Dubois, Moreau, Laurent, Girard, Roux, Fournier, Mercier'),
    streets: list('rue de la Gare, avenue Victor Hugo, rue des Écoles, rue du Moulin, place de la Mairie'),
    cities: places('Paris 750, Lyon 690, Nantes 440, Toulouse 310, Lille 590'),
  },
  {
    country: 'BE',
    share: 0.07,
    code: '9999',
    number: 'after',
    first: list('Elise, Noah, Louise, Arthur, Marie, Victor, Nora, Liam'),
    last: list('Peeters, Janssens, Maes, Jacobs, Willems, Claes, Lambert, Dupont'),
    streets: list('Stationsstraat, Schoolstraat, Rue Neuve, Kapellelaan, Rue Haute'),
    cities: places('Brussel 10, Antwerpen 20, Gent 90, Liège 40, Namur 50'),
  },
  {
    country: 'IT',
    share: 0.07,
    code: '99999',
    number: 'after',
    first: list('Giulia, Marco, Chiara, Luca, Sara, Matteo, Elena, Davide'),
    last: list('Rossi, Ferrari, Bianchi, Romano, Greco, Conti, Gallo, Fontana'),
    streets: list('Via Roma, Via Garibaldi, Corso Italia, Via Mazzini, Via Dante'),
    cities: places('Milano 201, Torino 101, Bologna 401, Firenze 501, Verona 371'),
  },
  {
    country: 'ES',
    share: 0.06,
    code: '99999',
    number: 'after',
    first: list('Lucía, Pablo, Carmen, Diego, Paula, Javier, Alba, Sergio'),
    last: list('García, Fernández, Romero, Navarro, Torres, Molina, Ortega, Serrano'),
    streets: list('Calle Mayor, Calle del Sol, Avenida de la Paz, Calle Nueva, Paseo del Prado'),
    cities: places('Madrid 280, Barcelona 080, Valencia 460, Sevilla 410'),
  },
  {
    country: 'PL',
    share: 0.04,
    code: '99-999',
    number: 'after',
    first: list('Zofia, Jakub, Maja, Szymon, Hanna, Filip, Alicja, Piotr'),
    last: list('Nowak, Wójcik, Kamińska, Zieliński, Mazur, Krawczyk, Kaczmarek, Dudek'),
    streets: list('ul. Polna, ul. Leśna, ul. Szkolna, ul. Ogrodowa, ul. Lipowa'),
    cities: places('Warszawa 00, Kraków 30, Gdańsk 80, Poznań 60'),
  },
]

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

export interface Customer {
  readonly email: string
  readonly address: Address
}

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
