// Headings in German.
import type { Headings } from './headings.ts';

/** German, also of Austria and Switzerland: Personio, DATEV, SAP, rexx, HRworks, Abacus. */
export const de: Headings = {
  firstname: 'Vorname, Vornamen, Vorname(n)',
  callname: 'Rufname',
  lastname: 'Nachname, Familienname, Zuname',
  lastnameBeside: 'Name',
  fullname: `Name, Vor- und Nachname, Vor- und Zuname, Vorname Nachname, Nachname Vorname, Nachname und Vorname,
    Vollständiger Name, Mitarbeitername, Name Vorname, Vorname Name`,
  lastnamePrefix: 'Namensvorsatz, Vorsatzwort',
  email: `E-Mail, E-Mail-Adresse, E-Mail Adressen, Mailadresse, Mail-Adresse, dienstliche E-Mail, dienstliche E-Mail-Adresse,
    geschäftliche E-Mail, geschäftliche E-Mail-Adresse, berufliche E-Mail, berufliche E-Mail-Adresse, Firmen-E-Mail,
    Firmenmail, E-Mail geschäftlich, E-Mail dienstlich, E-Mail beruflich, E-Mail Arbeit`,
  login: 'Benutzername, Anmeldename',
  telephone: 'Telefon, Telefonnummer, Telefon-Nr., Tel.-Nr., Rufnummer',
  workPhone: `Telefon geschäftlich, Telefon dienstlich, Diensttelefon, geschäftliche Telefonnummer, dienstliche Telefonnummer,
    Telefonnummer geschäftlich, Geschäftstelefon, Telefon Büro`,
  mobile: `Handy, Handynummer, Mobil, Mobiltelefon, Mobilnummer, Mobiltelefonnummer, Natel, Diensthandy, Mobil geschäftlich,
    Mobiltelefon geschäftlich, Handy geschäftlich`,
  employeeId: `Personalnummer, Personalnr, Personal-Nr., Pers.-Nr., Mitarbeiternummer, Mitarbeiternr, Mitarbeiter-Nr.,
    Mitarbeiter-ID, Mitarbeiterkennung, Personal-ID`,
  startDate: `Eintritt, Eintrittsdatum, Anstelldatum, Anstellungsdatum, Einstellungsdatum, Einstelldatum, Diensteintritt,
    Datum des Eintritts, Eintritt am, Beginn der Beschäftigung, Beschäftigungsbeginn, erster Arbeitstag`,
  endDate: `Beschäftigt bis, Angestellt bis, Tätig bis, Im Unternehmen bis, Austritt, Austrittsdatum, Austrittstag, Austritt am, Datum des Austritts, Kündigungsdatum, letzter Arbeitstag,
    Beschäftigungsende, Ende der Beschäftigung`,
  status: 'Status, Mitarbeiterstatus, Beschäftigungsstatus, Beschäftigtenstatus, Anstellungsstatus, aktiv, ist aktiv',
  gone: 'gelöscht, verstorben, ausgetreten, Austrittsgrund, Kündigungsgrund, abgemeldet, nicht kontaktieren, gesperrt, deaktiviert, inaktiv, ausgeschieden',
  group: 'Gruppe, Gruppen, Mitglied von, Gruppenmitgliedschaften',
  department: 'Abteilung, Abteilungen, Abteilungsname, Bereich, Fachbereich, Geschäftsbereich, Dezernat, Referat',
  team: 'Team, Teams, Teamname',
  unit: 'Organisationseinheit, OrgEinheit, Org.-Einheit, OE, Einheit',
  site: 'Standort, Arbeitsort, Arbeitsstätte, Niederlassung, Betriebsstätte, Büro, Filiale, Einsatzort',
  class: 'Klasse, Klassen, Kurs, Kurse',
  position:
    'Position, Stelle, Stellenbezeichnung, Rolle, Jobtitel, Berufsbezeichnung, Tätigkeit, Tätigkeitsbezeichnung',
  employer: 'Kostenstelle, Firma, Unternehmen, Gesellschaft, Land, Arbeitgeber, Mandant, Konzern',
  unsure: {
    position: 'Titel, Funktion',
    startDate: 'Startdatum, Beginn, Vertragsbeginn',
    endDate:
      'Inaktiv seit, Ausgeschieden am, Ausgetreten am, Befristet bis, Befristung, Gekündigt zum, Enddatum, Vertragsende, Ende, Befristung bis',
    telephone: 'Durchwahl',
  },
  work: 'geschäftlich, dienstlich, Firma, Arbeit, beruflich, Büro, Dienst',
  notOurs:
    'zweite, sekundär, sekundäre, alternative, privat, Notfall, Vorgesetzter, Vorgesetzte, Wiederherstellung, Eltern',
  statuses: {
    active: 'aktiv, beschäftigt, angestellt, Vollzeit, Teilzeit, Probezeit, tätig',
    leave:
      'Elternzeit, Mutterschutz, Mutterschaftsurlaub, beurlaubt, Sabbatical, Langzeitkrank, Krankenstand, Karenz, ruhend',
    ended: `Ausgeschiedene, Ausgetretene, Ehemalige, Ehemaliger, ehemals, Pensionär, nicht mehr aktiv, nicht mehr im Haus, inaktiv, ausgeschieden, gekündigt, ausgetreten, Rentner, pensioniert, verstorben, gesperrt,
      deaktiviert, ehemalig, ausgeschiedene, ehemaliger Mitarbeiter, ehemalige Mitarbeiterin,
      ausgetretene, Rentnerin, in Rente, Vertrag beendet, entlassen, nicht angetreten`,
    future: 'Eintritt geplant, zukünftig, noch nicht eingetreten',
  },
  yes: 'ja, j, wahr',
  no: 'nein, falsch',
};
