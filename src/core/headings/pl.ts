// Headings in Polish.
import type { Headings } from './headings.ts';

/** Polish: enova365, Comarch, Symfonia. */
export const pl: Headings = {
  firstname: 'Imię, Imiona, Pierwsze imię, Imię pierwsze',
  lastname: 'Nazwisko, Nazwiska',
  fullname:
    'Imię i nazwisko, Nazwisko i imię, Imię Nazwisko, Nazwisko Imię, Pełne imię i nazwisko, Nazwisko i imiona, Imiona i nazwisko',
  email: `E-mail, Email, Adres e-mail, Adres email, Poczta elektroniczna, Adres poczty elektronicznej, E-mail służbowy,
    Służbowy e-mail, Służbowy adres e-mail, Adres e-mail służbowy, E-mail firmowy, Mail służbowy, Email służbowy`,
  login: 'Nazwa użytkownika',
  telephone: 'Telefon, Numer telefonu, Nr telefonu, Nr tel.',
  workPhone:
    'Telefon służbowy, Telefon firmowy, Numer telefonu służbowego, Telefon w pracy, Służbowy numer telefonu, Nr tel. służbowego',
  mobile:
    'Telefon komórkowy, Komórka, Numer komórkowy, Numer telefonu komórkowego, Telefon komórkowy służbowy, Tel. kom.',
  employeeId:
    'Numer pracownika, Numer ewidencyjny, Nr ewidencyjny, Nr pracownika, ID pracownika, Kod pracownika, Numer kadrowy, Identyfikator pracownika, Nr ewid., Akronim pracownika',
  startDate:
    'Data zatrudnienia, Data przyjęcia, Data rozpoczęcia pracy, Zatrudniony od, Data przyjęcia do pracy, Początek zatrudnienia, Data rozpoczęcia zatrudnienia',
  endDate:
    'Data zwolnienia, Data zakończenia pracy, Data rozwiązania umowy, Data odejścia, Koniec zatrudnienia, Ostatni dzień pracy, Data zakończenia zatrudnienia, Data ustania zatrudnienia',
  status: 'Status, Status pracownika, Status zatrudnienia, Aktywny, Stan zatrudnienia',
  gone: 'Usunięty, Zmarły, Powód odejścia, Powód zwolnienia, Wypisany, Zablokowany, Nieaktywny, Zarchiwizowany, Zwolniony',
  group: 'Grupa, Grupy, Członek grupy',
  department: 'Dział, Działy, Departament, Wydział, Nazwa działu, Referat',
  team: 'Zespół, Zespoły, Nazwa zespołu',
  unit: 'Jednostka organizacyjna, Jednostka, Komórka organizacyjna, Pion',
  site: 'Miejsce pracy, Lokalizacja, Oddział, Biuro, Placówka, Zakład',
  class: 'Klasa, Klasy',
  position: 'Stanowisko, Stanowisko pracy, Funkcja, Rola, Nazwa stanowiska, Zawód',
  employer: 'Centrum kosztów, MPK, Firma, Spółka, Kraj, Pracodawca',
  unsure: { startDate: 'Data rozpoczęcia, Data od', endDate: 'Data zakończenia, Data do, Umowa do' },
  work: 'służbowy, służbowa, firmowy, praca, w pracy',
  notOurs: 'dodatkowy, drugi, prywatny, prywatna, osobisty, domowy, awaryjny, przełożony',
  statuses: {
    active: 'aktywny, aktywna, zatrudniony, zatrudniona, pracuje',
    leave: 'urlop macierzyński, urlop wychowawczy, urlop, zwolnienie lekarskie, urlop bezpłatny, na urlopie',
    ended: `nieaktywny, nieaktywna, zwolniony, zwolniona, emeryt, były pracownik, zablokowany, archiwalny,
      emerytka, była pracownica, zablokowana, archiwalna, odszedł, odeszła, umowa zakończona,
      na emeryturze, zmarł, rozwiązana umowa`,
    future: 'przyszły, planowany',
  },
  yes: 'tak, prawda',
  no: 'nie, fałsz',
};
