// The pages in Polish. Names of merchants stand after a colon or in the nominative, since they cannot be declined.

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
    `Aby potwierdzić płatność, przejdą Państwo do serwisu ${method}, a następnie wrócą na tę stronę.`,
  redirectToBank: 'Aby potwierdzić płatność, przejdą Państwo na stronę swojego banku, a następnie wrócą na tę stronę.',
  oxxoVoucher: 'Przejdą Państwo do serwisu OXXO i otrzymają voucher, który opłaca się gotówką w dowolnym sklepie OXXO.',
  laterNote: 'Płatność zostanie potwierdzona po wpłynięciu środków. Może to potrwać kilka dni.',

  cardNumber: 'Numer karty',
  expiry: 'Data ważności',
  expiryHint: 'MM / RR',
  cvc: 'Kod zabezpieczający',
  cvcHint: '3 cyfry na odwrocie lub 4 z przodu',
  name: 'Imię i nazwisko na karcie',
  numberMissing: 'Proszę podać numer karty.',
  numberInvalid: 'Numer karty jest nieprawidłowy. Proszę sprawdzić cyfry.',
  expiryMissing: 'Proszę podać datę ważności.',
  expiryInvalid: 'Proszę podać datę tak jak na karcie, na przykład 08 / 29.',
  expiryPast: 'Ta karta straciła ważność. Proszę użyć innej karty.',
  cvcMissing: 'Proszę podać kod zabezpieczający.',
  cvcInvalid: 'Kod zabezpieczający jest niepełny.',
  nameMissing: 'Proszę podać imię i nazwisko tak jak na karcie.',
  nameInvalid: 'Proszę sprawdzić imię i nazwisko na karcie.',

  payButton: (amount) => `Zapłać ${amount}`,
  busy: 'Przetwarzanie…',
  cancel: 'Anuluj',

  timeLeft: 'Czas pozostały na płatność',
  fiveMinutesLeft: 'Na płatność pozostało mniej niż pięć minut.',
  oneMinuteLeft: 'Na płatność pozostała mniej niż minuta.',

  declined: {
    generic_decline: {
      title: 'Karta została odrzucona',
      body: 'Środki nie zostały pobrane. Proszę użyć innej karty lub metody płatności albo skontaktować się z bankiem.',
    },
    insufficient_funds: {
      title: 'Brak wystarczających środków na karcie',
      body: 'Środki nie zostały pobrane. Proszę użyć innej karty lub metody płatności.',
    },
    lost_card: {
      title: 'Karta została odrzucona',
      body: 'Tej karty nie można użyć. Środki nie zostały pobrane. Proszę użyć innej karty i skontaktować się z bankiem.',
    },
    stolen_card: {
      title: 'Karta została odrzucona',
      body: 'Tej karty nie można użyć. Środki nie zostały pobrane. Proszę użyć innej karty i skontaktować się z bankiem.',
    },
    expired_card: {
      title: 'Karta straciła ważność',
      body: 'Środki nie zostały pobrane. Proszę sprawdzić datę ważności lub użyć innej karty.',
    },
    incorrect_cvc: {
      title: 'Kod zabezpieczający jest nieprawidłowy',
      body: 'Środki nie zostały pobrane. Proszę sprawdzić kod zabezpieczający i spróbować ponownie.',
    },
    processing_error: {
      title: 'Nie udało się przetworzyć płatności',
      body: 'Wystąpił błąd w komunikacji z bankiem. Środki nie zostały pobrane. Proszę spróbować ponownie za chwilę.',
    },
    authentication_failed: {
      title: 'Bank nie mógł potwierdzić Państwa tożsamości',
      body: 'Środki nie zostały pobrane. Proszę spróbować ponownie albo użyć innej karty lub metody płatności.',
    },
    bank_declined: {
      title: 'Płatność nie została autoryzowana',
      body: 'Środki nie zostały pobrane. Proszę spróbować ponownie lub wybrać inną metodę płatności.',
    },
    customer_canceled: {
      title: 'Płatność została przez Państwa anulowana',
      body: 'Środki nie zostały pobrane. Proszę wybrać sposób płatności.',
    },
  },
  amountChanged: (amount) => ({
    title: `Kwota wynosi teraz ${amount}`,
    body: 'Zamówienie zmieniło się w trakcie płatności. Środki nie zostały pobrane. Proszę sprawdzić zamówienie i zapłacić ponownie.',
  }),
  formExpired: {
    title: 'Proszę spróbować ponownie',
    body: 'Ta strona była otwarta zbyt długo lub została już użyta. W ramach tej próby nie pobrano żadnych środków.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Proszę zapłacić na tej stronie',
    body: `Przeglądarka wysłała tę płatność z innego adresu internetowego, dlatego nie została ona przyjęta. Środki nie zostały pobrane. Proszę spróbować ponownie tutaj. Jeśli ten komunikat pojawi się znowu, prosimy o kontakt ze sprzedawcą: ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Proszę chwilę poczekać',
    body: `Kilka prób zostało odrzuconych. Można spróbować ponownie ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Kolejne próby nie są możliwe',
    body: `Zbyt wiele prób zostało odrzuconych, dlatego dla Państwa bezpieczeństwa ta płatność została zablokowana. Prosimy o kontakt ze sprzedawcą: ${merchant}.`,
  }),
  fieldsInvalid: {
    title: 'Proszę sprawdzić dane',
    body: 'Środki nie zostały pobrane. Proszę ponownie podać dane karty i poprawić zaznaczone pola.',
  },

  merchant: 'Sprzedawca',
  amount: 'Kwota',
  date: 'Data',
  reference: 'Numer referencyjny',

  challenge: {
    title: 'Proszę potwierdzić tożsamość',
    body: 'Ta strona symuluje weryfikację 3-D Secure banku. Proszę wybrać wynik uwierzytelnienia.',
  },
  bank: (method) => ({
    title: `Bank testowy: ${method}`,
    body: `Ta strona symuluje serwis ${method}. Proszę wybrać wynik płatności.`,
  }),
  cancelAction: 'Anuluj i wybierz inną metodę',
  processing: {
    title: 'Przetwarzamy płatność',
    body: 'Zwykle trwa to kilka sekund. Proszę nie zamykać tej strony i nie płacić ponownie.',
  },
  processingSlow: 'Trwa to dłużej niż zwykle. Nadal czekamy na odpowiedź banku. Proszę nie płacić ponownie.',
  checkAgain: 'Sprawdź ponownie',
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
    body: `Płatność nie została zrealizowana, a środki nie wpłynęły do sprzedawcy: ${merchant}. Aby zapłacić, proszę wrócić do sklepu ${merchant} i zacząć od nowa.`,
  }),
  canClose: 'Można zamknąć tę stronę.',
  expired: (merchant) => ({
    title: 'Ta strona płatności wygasła',
    body: `Środki nie zostały pobrane. Aby zapłacić, proszę wrócić do sklepu ${merchant} i zacząć od nowa.`,
  }),
  cancelled: (merchant) => ({
    title: 'Płatność anulowana',
    body: `Środki nie zostały pobrane. Jeśli nadal chcą Państwo zapłacić, prosimy o kontakt ze sprzedawcą: ${merchant}.`,
  }),
  returnTo: (merchant) => `Wróć do sklepu ${merchant}`,
  goingBack: (merchant) =>
    `Przekierowujemy Państwa z powrotem do sklepu ${merchant}. Jeśli nic się nie dzieje, proszę użyć przycisku poniżej.`,
  oneMoreStep: {
    title: 'Jeszcze jeden krok',
    body: 'Przekierowujemy Państwa na stronę, na której można potwierdzić płatność. Jeśli nic się nie dzieje, proszę użyć przycisku poniżej.',
  },
  continueOn: 'Dalej',
  notFound: {
    title: 'Nie znaleziono strony',
    body: 'Pod tym adresem nie ma żadnej płatności. Proszę sprawdzić link albo wrócić do sklepu i zacząć od nowa.',
  },
  fault: {
    title: 'Wystąpił błąd po naszej stronie',
    body: 'W ramach tego żądania nie pobrano żadnych środków. Proszę spróbować ponownie za chwilę.',
  },
  tryAgain: 'Spróbuj ponownie',
};
