// The pages in Arabic. Names and amounts are isolated, so that their own direction does not reorder the sentence.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

const isolated = (text: string): string => `\u2068${text}\u2069`;

export const arabic: Texts = {
  testNote: 'لن يُخصم أي مبلغ.',
  secured: `تُعالَج المدفوعات بأمان بواسطة ${isolated('Paydesk')}`,

  payTo: (merchant) => `الدفع إلى ${isolated(merchant)}`,
  orderDetails: 'تفاصيل الطلب',
  total: 'الإجمالي',
  email: 'البريد الإلكتروني',

  paymentMethod: 'طريقة الدفع',
  cardDetails: 'بيانات البطاقة',
  card: 'بطاقة',
  sepaDebit: 'الخصم المباشر SEPA',
  redirectNote: (method) => `ستتم إعادة توجيهك إلى ${isolated(method)} لتأكيد الدفع، ثم تعود إلى هذه الصفحة.`,
  redirectToBank: 'ستتم إعادة توجيهك إلى موقع البنك الذي تتعامل معه لتأكيد الدفع، ثم تعود إلى هذه الصفحة.',
  oxxoVoucher: `ستتم إعادة توجيهك إلى ${isolated('OXXO')} للحصول على قسيمة تدفعها نقدًا في أي متجر من متاجر ${isolated('OXXO')}.`,
  laterNote: 'سيتم تأكيد الدفع عند وصول المبلغ، وقد يستغرق ذلك بضعة أيام.',
  cardRedirect: 'ستتم إعادة توجيهك إلى صفحة آمنة لإدخال بيانات البطاقة، ثم تعود إلى هذه الصفحة.',
  needsScripts: `للدفع بالبطاقة، يُرجى تفعيل ${isolated('JavaScript')} في المتصفح ثم إعادة تحميل هذه الصفحة.`,
  cardNotLoaded: 'تعذّر تحميل حقول البطاقة.',
  unavailableNow: 'غير متاحة حاليًا.',

  cardNumber: 'رقم البطاقة',
  expiry: 'تاريخ الانتهاء',
  expiryHint: isolated('MM / YY'),
  cvc: 'رمز الأمان',
  cvcHint: '3 أرقام على ظهر البطاقة أو 4 على وجهها',
  name: 'الاسم على البطاقة',
  numberMissing: 'يُرجى إدخال رقم البطاقة.',
  numberInvalid: 'رقم البطاقة غير صحيح. يُرجى التحقق من الأرقام.',
  expiryMissing: 'يُرجى إدخال تاريخ الانتهاء.',
  expiryInvalid: `يُرجى إدخال التاريخ كما هو على البطاقة، مثل ${isolated('08 / 29')}.`,
  expiryPast: 'انتهت صلاحية هذه البطاقة. يُرجى استخدام بطاقة أخرى.',
  cvcMissing: 'يُرجى إدخال رمز الأمان.',
  cvcInvalid: 'رمز الأمان غير مكتمل.',
  nameMissing: 'يُرجى إدخال الاسم كما هو على البطاقة.',
  nameInvalid: 'يُرجى التحقق من الاسم على البطاقة.',

  payButton: (amount) => `ادفع ${isolated(amount)}`,
  busy: 'جارٍ المعالجة…',
  cancel: 'إلغاء',

  timeLeft: 'الوقت المتبقي للدفع',
  fiveMinutesLeft: 'بقي أقل من خمس دقائق للدفع.',
  oneMinuteLeft: 'بقي أقل من دقيقة واحدة للدفع.',

  declined: {
    generic_decline: {
      title: 'تم رفض بطاقتك',
      body: 'لم يُخصم أي مبلغ. يُرجى تجربة بطاقة أو طريقة دفع أخرى، أو التواصل مع البنك الذي تتعامل معه.',
    },
    insufficient_funds: {
      title: 'الرصيد المتاح في البطاقة غير كافٍ',
      body: 'لم يُخصم أي مبلغ. يُرجى استخدام بطاقة أو طريقة دفع أخرى.',
    },
    lost_card: {
      title: 'تم رفض بطاقتك',
      body: 'لا يمكن استخدام هذه البطاقة. لم يُخصم أي مبلغ. يُرجى استخدام بطاقة أخرى والتواصل مع البنك الذي تتعامل معه.',
    },
    stolen_card: {
      title: 'تم رفض بطاقتك',
      body: 'لا يمكن استخدام هذه البطاقة. لم يُخصم أي مبلغ. يُرجى استخدام بطاقة أخرى والتواصل مع البنك الذي تتعامل معه.',
    },
    expired_card: {
      title: 'انتهت صلاحية بطاقتك',
      body: 'لم يُخصم أي مبلغ. يُرجى التحقق من تاريخ الانتهاء أو استخدام بطاقة أخرى.',
    },
    incorrect_cvc: {
      title: 'رمز الأمان غير صحيح',
      body: 'لم يُخصم أي مبلغ. يُرجى التحقق من رمز الأمان والمحاولة مجددًا.',
    },
    processing_error: {
      title: 'تعذّرت معالجة الدفع',
      body: 'حدث خطأ أثناء الاتصال بالبنك. لم يُخصم أي مبلغ. يُرجى المحاولة مجددًا بعد قليل.',
    },
    authentication_failed: {
      title: 'تعذّر على البنك التحقق من هويتك',
      body: 'لم يُخصم أي مبلغ. يُرجى المحاولة مجددًا أو استخدام بطاقة أو طريقة دفع أخرى.',
    },
    bank_declined: {
      title: 'لم تتم الموافقة على الدفع',
      body: 'لم يُخصم أي مبلغ. يُرجى المحاولة مجددًا أو اختيار طريقة دفع أخرى.',
    },
    customer_canceled: {
      title: 'لقد ألغيت الدفع',
      body: 'لم يُخصم أي مبلغ. يُرجى اختيار طريقة الدفع.',
    },
  },
  amountChanged: (amount) => ({
    title: `أصبح المبلغ ${isolated(amount)}`,
    body: 'تغيّر طلبك أثناء الدفع. لم يُخصم أي مبلغ. يُرجى مراجعة الطلب والدفع مجددًا.',
  }),
  formExpired: {
    title: 'يُرجى المحاولة مجددًا',
    body: 'ظلت هذه الصفحة مفتوحة مدة طويلة أو سبق استخدامها. لم يُخصم أي مبلغ في هذه المحاولة.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'يُرجى الدفع من هذه الصفحة',
    body: `أرسل متصفحك عملية الدفع هذه من عنوان ويب آخر، ولذلك لم تُقبل. لم يُخصم أي مبلغ. يُرجى المحاولة مجددًا هنا. إذا ظهرت هذه الرسالة مرة أخرى، فيُرجى التواصل مع ${isolated(merchant)}.`,
  }),
  slowDown: (soon) => ({
    title: 'يُرجى الانتظار قليلًا',
    body: `تم رفض عدة محاولات. يمكنك المحاولة مجددًا ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'لا يمكن إجراء محاولات أخرى',
    body: `تم رفض عدد كبير من المحاولات، ولذلك تم حظر عملية الدفع هذه حفاظًا على أمانك. يُرجى التواصل مع ${isolated(merchant)}.`,
  }),
  tooManyDeclines: {
    title: 'لا يمكن إجراء محاولات أخرى بالبطاقة',
    body: 'تم رفض عدد كبير من المحاولات، ولذلك تم حظر الدفع بالبطاقة حفاظًا على أمانك. يُرجى اختيار طريقة دفع أخرى.',
  },
  methodUnavailable: {
    title: 'طريقة الدفع هذه غير متاحة حاليًا',
    body: 'لم يُخصم أي مبلغ. يُرجى اختيار طريقة دفع أخرى.',
  },
  onlyMethodUnavailable: {
    title: 'الدفع غير متاح حاليًا',
    body: 'لم يُخصم أي مبلغ. يُرجى المحاولة مجددًا بعد بضع دقائق.',
  },
  cardNotAccepted: {
    title: 'لم تُقبل بيانات بطاقتك',
    body: `لا يمكن إدخال بيانات البطاقة إلا في الحقول المخصصة لها في هذه الصفحة، وهي تحتاج إلى ${isolated('JavaScript')}. لم تُستخدم البيانات المرسلة ولم تُحفظ، ولم يُخصم أي مبلغ.`,
  },
  fieldsInvalid: {
    title: 'يُرجى مراجعة بياناتك',
    body: 'لم يُخصم أي مبلغ. يُرجى إدخال بيانات البطاقة مجددًا وتصحيح الحقول المحددة أدناه.',
  },
  connectionFailed: {
    title: 'انقطع الاتصال',
    checking: 'نتحقق مما إذا كانت عملية الدفع قد تمت. يُرجى البقاء في هذه الصفحة وعدم الدفع مرة أخرى.',
    notCharged: 'لم يُخصم أي مبلغ. يُرجى التحقق من اتصالك بالإنترنت والمحاولة مجددًا.',
  },

  merchant: 'التاجر',
  amount: 'المبلغ',
  date: 'التاريخ',
  reference: 'الرقم المرجعي',

  challenge: {
    title: 'تأكيد الهوية',
    body: `تحاكي هذه الصفحة التحقق عبر ${isolated('3-D Secure')} لدى البنك. اختر نتيجة التحقق.`,
  },
  bank: (method) => ({
    title: `بنك اختباري: ${isolated(method)}`,
    body: `تحاكي هذه الصفحة ${isolated(method)}. اختر نتيجة الدفع.`,
  }),
  oxxoPage: {
    title: `قسيمة اختبار: ${isolated('OXXO')}`,
    body: `تحاكي هذه الصفحة قسيمة ${isolated('OXXO')} للدفع نقدًا. اختر نتيجة الدفع.`,
  },
  cancelAction: 'إلغاء واختيار طريقة دفع أخرى',
  processing: {
    title: 'جارٍ معالجة عملية الدفع',
    body: 'يستغرق ذلك عادةً بضع ثوانٍ. يُرجى عدم إغلاق هذه الصفحة وعدم الدفع مرة أخرى.',
  },
  processingSlow: 'يستغرق الأمر وقتًا أطول من المعتاد. ما زلنا ننتظر رد البنك؛ يُرجى عدم الدفع مرة أخرى.',
  checkAgain: 'تحقّق مجددًا',
  unconfirmed: {
    title: 'في انتظار التأكيد',
    body: 'إذا كنت قد دفعت للتو، فيُرجى الانتظار هنا: ستنتقل هذه الصفحة تلقائيًا. وإذا لم تُكمل الدفع بعد، فتابع من حيث توقفت.',
  },
  continuePaying: 'متابعة الدفع',
  paid: (merchant) => ({ title: 'تم الدفع بنجاح', body: `شكرًا لك. وصل المبلغ إلى ${isolated(merchant)}.` }),
  pending: (merchant) => ({
    title: 'بانتظار وصول المبلغ',
    body: `شكرًا لك. سيصل إشعار إلى ${isolated(merchant)} فور وصول المبلغ، وقد يستغرق ذلك بضعة أيام.`,
  }),
  failedLater: (merchant) => ({
    title: 'فشلت عملية الدفع',
    body: `لم تكتمل عملية الدفع ولم يصل المبلغ إلى ${isolated(merchant)}. إذا كنت لا تزال ترغب في الدفع، فيُرجى العودة إلى ${isolated(merchant)} والبدء من جديد.`,
  }),
  print: 'طباعة',
  canClose: 'يمكنك إغلاق هذه الصفحة.',
  expired: (merchant) => ({
    title: 'انتهت صلاحية صفحة الدفع هذه',
    body: `لم يُخصم أي مبلغ. للدفع، يُرجى العودة إلى ${isolated(merchant)} والبدء من جديد.`,
  }),
  cancelled: (merchant) => ({
    title: 'تم إلغاء الدفع',
    body: `لم يُخصم أي مبلغ. إذا كنت لا تزال ترغب في الدفع، فيُرجى التواصل مع ${isolated(merchant)}.`,
  }),
  returnTo: (merchant) => `العودة إلى ${isolated(merchant)}`,
  goingBack: (merchant) => `جارٍ إعادة توجيهك إلى ${isolated(merchant)}. إذا لم يحدث شيء، فاستخدم الزر أدناه.`,
  oneMoreStep: {
    title: 'خطوة أخيرة',
    body: 'جارٍ توجيهك إلى الصفحة التي تؤكد فيها الدفع. إذا لم يحدث شيء، فاستخدم الزر أدناه.',
  },
  continueOn: 'متابعة',
  notFound: {
    title: 'الصفحة غير موجودة',
    body: 'لا توجد عملية دفع على هذا العنوان. يُرجى التحقق من الرابط، أو العودة إلى المتجر والبدء من جديد.',
  },
  fault: {
    title: 'حدث خطأ من جانبنا',
    body: 'لم يُخصم أي مبلغ بسبب هذا الطلب. يُرجى المحاولة مجددًا بعد قليل.',
  },
  tryAgain: 'حاول مجددًا',
  collect: collectTexts.ar,
  link: linkTexts.ar,
  late: lateMoneyTexts.ar,
  receipt: receiptTexts.ar,
};
