// The pages in Polish. Merchant names follow a colon or stand in the nominative, because they cannot be inflected.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const polish: Texts = {
  testNote: 'Środki nie zostaną pobrane.',
  secured: 'Płatności są bezpiecznie przetwarzane przez Paydesk',

  payTo: (merchant) => `Płatność dla ${merchant}`,
  orderDetails: 'Szczegóły zamówienia',
  total: 'Razem',
  email: 'E-mail',

  paymentMethod: 'Metoda płatności',
  cardDetails: 'Dane karty',
  card: 'Karta',
  sepaDebit: 'Polecenie zapłaty SEPA',
  redirectNote: (method) =>
    `Nastąpi przekierowanie do serwisu ${method} w celu potwierdzenia płatności, a potem powrót na tę stronę.`,
  redirectToBank:
    'Nastąpi przekierowanie na stronę Twojego banku w celu potwierdzenia płatności, a potem powrót na tę stronę.',
  oxxoVoucher:
    'Nastąpi przekierowanie do serwisu OXXO. Otrzymasz tam voucher, który opłacisz gotówką w dowolnym sklepie OXXO.',
  laterNote: 'Płatność zostanie potwierdzona po wpłynięciu środków. Może to potrwać kilka dni.',
  cardRedirect: 'Nastąpi przekierowanie na bezpieczną stronę w celu podania danych karty, a potem powrót na tę stronę.',
  needsScripts: 'Aby zapłacić kartą, włącz JavaScript w przeglądarce i odśwież tę stronę.',
  cardNotLoaded: 'Nie udało się wczytać pól karty.',
  unavailableNow: 'Chwilowo niedostępne.',

  cardNumber: 'Numer karty',
  expiry: 'Data ważności',
  expiryHint: 'MM / RR',
  cvc: 'Kod zabezpieczający',
  cvcHint: '3 cyfry na odwrocie lub 4 z przodu',
  name: 'Imię i nazwisko na karcie',
  numberMissing: 'Podaj numer karty.',
  numberInvalid: 'Numer karty jest nieprawidłowy. Sprawdź cyfry.',
  expiryMissing: 'Podaj datę ważności.',
  expiryInvalid: 'Podaj datę tak jak na karcie, na przykład 08 / 29.',
  expiryPast: 'Ta karta straciła ważność. Użyj innej karty.',
  cvcMissing: 'Podaj kod zabezpieczający.',
  cvcInvalid: 'Kod zabezpieczający jest niepełny.',
  nameMissing: 'Podaj imię i nazwisko tak jak na karcie.',
  nameInvalid: 'Sprawdź imię i nazwisko na karcie.',

  payButton: (amount) => `Zapłać ${amount}`,
  busy: 'Przetwarzanie…',
  cancel: 'Anuluj',

  timeLeft: 'Czas pozostały na płatność',
  fiveMinutesLeft: 'Na płatność pozostało mniej niż pięć minut.',
  oneMinuteLeft: 'Na płatność pozostała mniej niż minuta.',

  declined: {
    generic_decline: {
      title: 'Karta została odrzucona',
      body: 'Środki nie zostały pobrane. Użyj innej karty lub metody płatności albo skontaktuj się z bankiem.',
    },
    insufficient_funds: {
      title: 'Brak wystarczających środków na karcie',
      body: 'Środki nie zostały pobrane. Użyj innej karty lub metody płatności.',
    },
    lost_card: {
      title: 'Karta została odrzucona',
      body: 'Tej karty nie można użyć. Środki nie zostały pobrane. Użyj innej karty i skontaktuj się z bankiem.',
    },
    stolen_card: {
      title: 'Karta została odrzucona',
      body: 'Tej karty nie można użyć. Środki nie zostały pobrane. Użyj innej karty i skontaktuj się z bankiem.',
    },
    expired_card: {
      title: 'Karta straciła ważność',
      body: 'Środki nie zostały pobrane. Sprawdź datę ważności lub użyj innej karty.',
    },
    incorrect_cvc: {
      title: 'Kod zabezpieczający jest nieprawidłowy',
      body: 'Środki nie zostały pobrane. Sprawdź kod zabezpieczający i spróbuj ponownie.',
    },
    processing_error: {
      title: 'Nie udało się przetworzyć płatności',
      body: 'Wystąpił błąd w komunikacji z bankiem. Środki nie zostały pobrane. Spróbuj ponownie za chwilę.',
    },
    authentication_failed: {
      title: 'Bank nie mógł potwierdzić Twojej tożsamości',
      body: 'Środki nie zostały pobrane. Spróbuj ponownie albo użyj innej karty lub metody płatności.',
    },
    bank_declined: {
      title: 'Płatność nie została autoryzowana',
      body: 'Środki nie zostały pobrane. Spróbuj ponownie lub wybierz inną metodę płatności.',
    },
    customer_canceled: {
      title: 'Płatność została anulowana',
      body: 'Środki nie zostały pobrane. Wybierz sposób płatności.',
    },
  },
  amountChanged: (amount) => ({
    title: `Kwota wynosi teraz ${amount}`,
    body: 'Zamówienie zmieniło się w trakcie płatności. Środki nie zostały pobrane. Sprawdź zamówienie i zapłać ponownie.',
  }),
  formExpired: {
    title: 'Spróbuj ponownie',
    body: 'Ta strona była otwarta zbyt długo lub została już użyta. W ramach tej próby nie pobrano żadnych środków.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Zapłać na tej stronie',
    body: `Przeglądarka wysłała tę płatność z innego adresu internetowego, dlatego nie została ona przyjęta. Środki nie zostały pobrane. Spróbuj ponownie tutaj. Jeśli ten komunikat pojawi się znowu, skontaktuj się ze sprzedawcą: ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Poczekaj chwilę',
    body: `Kilka prób zostało odrzuconych lub jest jeszcze w toku. Możesz spróbować ponownie ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Kolejne próby nie są możliwe',
    body: `Zbyt wiele prób zostało odrzuconych, dlatego dla Twojego bezpieczeństwa ta płatność została zablokowana. Skontaktuj się ze sprzedawcą: ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Kolejne próby płatności kartą nie są możliwe',
    body: 'Zbyt wiele prób zostało odrzuconych, dlatego dla Twojego bezpieczeństwa płatność kartą została zablokowana. Wybierz inną metodę płatności.',
  },
  methodUnavailable: {
    title: 'Ta metoda płatności jest chwilowo niedostępna',
    body: 'Środki nie zostały pobrane. Wybierz inną metodę płatności.',
  },
  onlyMethodUnavailable: {
    title: 'Płatność jest chwilowo niedostępna',
    body: 'Środki nie zostały pobrane. Spróbuj ponownie za kilka minut.',
  },
  cardNotAccepted: {
    title: 'Dane karty nie zostały przyjęte',
    body: 'Dane karty można podać tylko w polach karty na tej stronie, które wymagają JavaScriptu. Przesłane dane nie zostały użyte ani zapisane, a środki nie zostały pobrane.',
  },
  fieldsInvalid: {
    title: 'Sprawdź swoje dane',
    body: 'Środki nie zostały pobrane. Podaj ponownie dane karty i popraw zaznaczone pola.',
  },
  connectionFailed: {
    title: 'Połączenie zostało przerwane',
    checking: 'Sprawdzamy, czy płatność została zrealizowana. Pozostań na tej stronie i nie płać ponownie.',
    notCharged: 'Środki nie zostały pobrane. Sprawdź połączenie z internetem i spróbuj ponownie.',
  },

  merchant: 'Sprzedawca',
  amount: 'Kwota',
  date: 'Data',
  reference: 'Numer referencyjny',

  challenge: {
    title: 'Potwierdź swoją tożsamość',
    body: 'Ta strona symuluje weryfikację 3-D Secure Twojego banku. Wybierz wynik uwierzytelnienia.',
  },
  bank: (method) => ({
    title: `Bank testowy: ${method}`,
    body: `Ta strona symuluje serwis ${method}. Wybierz wynik płatności.`,
  }),
  oxxoPage: {
    title: 'Voucher testowy: OXXO',
    body: 'Ta strona symuluje voucher OXXO. Wybierz wynik płatności.',
  },
  cancelAction: 'Anuluj i wybierz inną metodę płatności',
  processing: {
    title: 'Przetwarzamy płatność',
    body: 'Zwykle trwa to kilka sekund. Nie zamykaj tej strony i nie płać ponownie.',
  },
  processingSlow: 'Trwa to dłużej niż zwykle. Nadal czekamy na odpowiedź banku. Nie płać ponownie.',
  checkAgain: 'Sprawdź ponownie',
  unconfirmed: {
    title: 'Czekamy na potwierdzenie',
    body: 'Jeśli płatność została już wykonana, poczekaj tutaj: strona sama przejdzie dalej. Jeśli nie, wróć do miejsca, w którym została przerwana.',
  },
  continuePaying: 'Kontynuuj płatność',
  paid: (merchant) => ({
    title: 'Płatność zrealizowana',
    body: `Dziękujemy. Płatność dotarła do odbiorcy: ${merchant}.`,
  }),
  pending: (merchant) => ({
    title: 'Płatność w drodze',
    body: `Dziękujemy. Gdy środki wpłyną, powiadomimy sprzedawcę: ${merchant}. Może to potrwać kilka dni.`,
  }),
  failedLater: (merchant) => ({
    title: 'Płatność nie powiodła się',
    body: `Płatność nie została zrealizowana, a środki nie wpłynęły do sprzedawcy: ${merchant}. Aby zapłacić, wróć do sklepu ${merchant} i zacznij od nowa.`,
  }),
  print: 'Drukuj',
  canClose: 'Możesz zamknąć tę stronę.',
  expired: (merchant) => ({
    title: 'Ta strona płatności wygasła',
    body: `Środki nie zostały pobrane. Aby zapłacić, wróć do sklepu ${merchant} i zacznij od nowa.`,
  }),
  cancelled: (merchant) => ({
    title: 'Płatność anulowana',
    body: `Środki nie zostały pobrane. Jeśli nadal chcesz zapłacić, skontaktuj się ze sprzedawcą: ${merchant}.`,
  }),
  returnTo: (merchant) => `Wróć do sklepu ${merchant}`,
  goingBack: (merchant) =>
    `Przekierowujemy Cię z powrotem do sklepu ${merchant}. Jeśli nic się nie dzieje, użyj przycisku poniżej.`,
  oneMoreStep: {
    title: 'Jeszcze jeden krok',
    body: 'Przekierowujemy Cię na stronę, na której potwierdzisz płatność. Jeśli nic się nie dzieje, użyj przycisku poniżej.',
  },
  continueOn: 'Dalej',
  notFound: {
    title: 'Nie znaleziono strony',
    body: 'Pod tym adresem nie ma żadnej płatności. Sprawdź link albo wróć do sklepu i zacznij od nowa.',
  },
  fault: {
    title: 'Wystąpił błąd po naszej stronie',
    body: 'Środki nie zostały pobrane. Spróbuj ponownie za chwilę.',
  },
  tryAgain: 'Spróbuj ponownie',
  collect: collectTexts.pl,
  link: linkTexts.pl,
  late: lateMoneyTexts.pl,
  receipt: receiptTexts.pl,
};
