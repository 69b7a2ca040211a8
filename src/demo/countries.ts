// Where the customers of the demo shop live: their currency, the methods they prefer, and how they are called.

import type { Merchant } from '../domain/merchant.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';

type Names = readonly [string, ...string[]];

export interface Country {
  readonly code: string;
  readonly currency: string;
  /** How much of the shop's business comes from there. */
  readonly weight: number;
  /** The language of the checkout page. */
  readonly locale: string;
  readonly methods: readonly (readonly [PaymentMethodType, number])[];
  /** Without accents, because they become e-mail addresses. */
  readonly firstNames: Names;
  readonly lastNames: Names;
}

const countries: readonly Country[] = [
  {
    ...{ code: 'DE', currency: 'EUR', weight: 24, locale: 'de' },
    methods: [
      ['card', 62],
      ['sepa_debit', 38],
    ],
    firstNames: ['Lena', 'Jonas', 'Mia', 'Felix', 'Hannah', 'Paul', 'Emma', 'Lukas', 'Clara', 'Moritz'],
    lastNames: ['Schneider', 'Fischer', 'Weber', 'Wagner', 'Becker', 'Hoffmann', 'Koch', 'Richter', 'Klein', 'Wolf'],
  },
  {
    ...{ code: 'NL', currency: 'EUR', weight: 18, locale: 'nl' },
    methods: [
      ['ideal', 72],
      ['card', 28],
    ],
    firstNames: ['Daan', 'Sanne', 'Bram', 'Lotte', 'Thijs', 'Femke', 'Sem', 'Anouk', 'Jesse', 'Fleur'],
    lastNames: ['de Vries', 'Jansen', 'Bakker', 'Visser', 'Smit', 'Meijer', 'Mulder', 'Bos', 'Vos', 'Peters'],
  },
  {
    ...{ code: 'GB', currency: 'GBP', weight: 13, locale: 'en' },
    methods: [['card', 100]],
    firstNames: ['Olivia', 'George', 'Amelia', 'Harry', 'Isla', 'Jack', 'Freya', 'Oscar', 'Grace', 'Arthur'],
    lastNames: ['Smith', 'Jones', 'Taylor', 'Brown', 'Evans', 'Walker', 'Wright', 'Hughes', 'Green', 'Clarke'],
  },
  {
    ...{ code: 'US', currency: 'USD', weight: 12, locale: 'en' },
    methods: [['card', 100]],
    firstNames: ['Ava', 'Noah', 'Sophia', 'Liam', 'Maya', 'Ethan', 'Zoe', 'Mason', 'Chloe', 'Logan'],
    lastNames: ['Johnson', 'Williams', 'Davis', 'Miller', 'Garcia', 'Moore', 'Martin', 'Lee', 'Thompson', 'Clark'],
  },
  {
    ...{ code: 'BE', currency: 'EUR', weight: 7, locale: 'nl' },
    methods: [
      ['bancontact', 65],
      ['card', 35],
    ],
    firstNames: ['Noor', 'Arthur', 'Elise', 'Louis', 'Marie', 'Wout', 'Juliette', 'Victor', 'Camille', 'Lars'],
    lastNames: ['Peeters', 'Maes', 'Jacobs', 'Willems', 'Claes', 'Goossens', 'Dubois', 'Lambert', 'Dupont', 'Martens'],
  },
  {
    ...{ code: 'FR', currency: 'EUR', weight: 7, locale: 'fr' },
    methods: [
      ['card', 96],
      ['sepa_debit', 4],
    ],
    firstNames: ['Louise', 'Hugo', 'Alice', 'Gabriel', 'Manon', 'Arthur', 'Jeanne', 'Adam', 'Lina', 'Nathan'],
    lastNames: ['Bernard', 'Petit', 'Robert', 'Richard', 'Moreau', 'Laurent', 'Simon', 'Michel', 'Garnier', 'Roux'],
  },
  {
    ...{ code: 'AT', currency: 'EUR', weight: 4, locale: 'de' },
    methods: [
      ['card', 58],
      ['eps', 42],
    ],
    firstNames: ['Anna', 'Maximilian', 'Laura', 'David', 'Sophie', 'Tobias', 'Magdalena', 'Jakob'],
    lastNames: ['Gruber', 'Huber', 'Bauer', 'Pichler', 'Steiner', 'Moser', 'Mayer', 'Hofer'],
  },
  {
    ...{ code: 'CH', currency: 'CHF', weight: 4, locale: 'de' },
    methods: [
      ['twint', 60],
      ['card', 40],
    ],
    firstNames: ['Nina', 'Leon', 'Elin', 'Noah', 'Lea', 'Matteo', 'Alina', 'Gian'],
    lastNames: ['Meier', 'Keller', 'Brunner', 'Frei', 'Baumann', 'Graf', 'Roth', 'Suter'],
  },
  {
    ...{ code: 'PL', currency: 'PLN', weight: 3, locale: 'pl' },
    methods: [
      ['blik', 68],
      ['card', 32],
    ],
    firstNames: ['Zuzanna', 'Jakub', 'Maja', 'Antoni', 'Julia', 'Szymon', 'Hanna', 'Filip'],
    lastNames: ['Nowak', 'Kowalczyk', 'Mazur', 'Krawczyk', 'Zajac', 'Pawlak', 'Walczak', 'Duda'],
  },
  {
    ...{ code: 'SE', currency: 'SEK', weight: 3, locale: 'en' },
    methods: [
      ['swish', 60],
      ['card', 40],
    ],
    firstNames: ['Alma', 'Hugo', 'Astrid', 'Nils', 'Ebba', 'Axel', 'Saga', 'Elias'],
    lastNames: ['Andersson', 'Lindberg', 'Nystrom', 'Berg', 'Lund', 'Holm', 'Ek', 'Sandberg'],
  },
  {
    ...{ code: 'ES', currency: 'EUR', weight: 2, locale: 'es' },
    methods: [['card', 100]],
    firstNames: ['Lucia', 'Mateo', 'Carmen', 'Pablo', 'Elena', 'Diego', 'Irene', 'Marcos'],
    lastNames: ['Garcia', 'Moreno', 'Navarro', 'Torres', 'Ruiz', 'Vega', 'Molina', 'Castro'],
  },
  {
    ...{ code: 'BR', currency: 'BRL', weight: 1.5, locale: 'pt' },
    methods: [
      ['pix', 66],
      ['card', 34],
    ],
    firstNames: ['Beatriz', 'Rafael', 'Larissa', 'Thiago', 'Camila', 'Bruno'],
    lastNames: ['Silva', 'Santos', 'Oliveira', 'Souza', 'Pereira', 'Costa'],
  },
  {
    ...{ code: 'MX', currency: 'MXN', weight: 0.8, locale: 'es' },
    methods: [
      ['card', 64],
      ['oxxo', 36],
    ],
    firstNames: ['Valeria', 'Santiago', 'Ximena', 'Emiliano', 'Daniela', 'Sebastian'],
    lastNames: ['Hernandez', 'Lopez', 'Ramirez', 'Flores', 'Cruz', 'Mendoza'],
  },
  {
    ...{ code: 'TH', currency: 'THB', weight: 0.5, locale: 'en' },
    methods: [
      ['promptpay', 70],
      ['card', 30],
    ],
    firstNames: ['Ploy', 'Niran', 'Malee', 'Kittisak', 'Suda', 'Arthit'],
    lastNames: ['Saetang', 'Wongsa', 'Chaiyo', 'Srisuk', 'Thongdee', 'Boonmee'],
  },
  {
    ...{ code: 'JP', currency: 'JPY', weight: 0.7, locale: 'ja' },
    methods: [['card', 100]],
    firstNames: ['Haruka', 'Ren', 'Sakura', 'Yuto', 'Aoi', 'Sota'],
    lastNames: ['Sato', 'Suzuki', 'Takahashi', 'Tanaka', 'Watanabe', 'Ito'],
  },
];

/** Those whose customers can pay this merchant, each with the methods that they can use. */
export function countriesServedBy(merchant: Pick<Merchant, 'currencies' | 'paymentMethodTypes'>): Country[] {
  return countries
    .filter(({ currency }) => merchant.currencies.includes(currency))
    .map((country) => ({
      ...country,
      methods: country.methods.filter(([method]) => merchant.paymentMethodTypes.includes(method)),
    }))
    .filter(({ methods }) => methods.length > 0);
}
