// Headings in Italian.
import type { Headings } from './headings.ts';

/** Italian: Zucchetti, TeamSystem, Factorial. */
export const it: Headings = {
  firstname: 'Nome di battesimo, Nome proprio',
  firstnameBeside: 'Nome',
  lastname: 'Cognome, Cognomi',
  fullname: 'Nome e cognome, Cognome e nome, Nome completo, Nominativo, Cognome Nome, Nome Cognome, Nome dipendente',
  email: `E-mail, Email, Indirizzo e-mail, Indirizzo email, Posta elettronica, Indirizzo di posta elettronica, Email aziendale,
    E-mail di lavoro, Email lavoro, Mail aziendale, Indirizzo email aziendale, Posta elettronica aziendale, E-mail ufficio,
    Email professionale`,
  login: 'Nome utente',
  telephone: 'Telefono, Numero di telefono, N. telefono, Numero telefono, Recapito telefonico',
  workPhone: 'Telefono ufficio, Telefono aziendale, Telefono di lavoro, Telefono lavoro',
  mobile: 'Cellulare, Numero di cellulare, Telefono cellulare, Cellulare aziendale, Telefono mobile',
  employeeId:
    'Matricola, Numero matricola, Codice dipendente, N. matricola, Numero di matricola, ID dipendente, Matricola dipendente',
  startDate: `Data assunzione, Data di assunzione, Data di ingresso, Data ingresso, Data inizio rapporto, Data inizio rapporto di lavoro,
    Inizio rapporto di lavoro`,
  endDate: `Data cessazione, Data di cessazione, Data fine rapporto, Data uscita, Data di uscita, Data dimissioni,
    Data licenziamento, Ultimo giorno di lavoro`,
  status: 'Stato dipendente, Stato del dipendente, Attivo, Stato rapporto',
  gone: 'Bloccato, Disattivato, Cessato, Sospeso',
  group: 'Gruppo, Gruppi, Membro di',
  department: 'Reparto, Dipartimento, Ufficio, Settore, Divisione, Reparti, Dipartimenti',
  team: 'Team, Squadra, Squadre, Gruppo di lavoro',
  unit: 'Unità organizzativa, Unità produttiva, Unità',
  site: 'Sede, Sede di lavoro, Luogo di lavoro, Filiale, Stabilimento, Sede operativa, Sito',
  class: 'Classe, Classi',
  position: 'Mansione, Posizione, Ruolo, Qualifica, Posizione lavorativa, Titolo professionale, Incarico',
  employer: 'Centro di costo, Azienda, Società, Ditta, Paese, Ragione sociale',
  unsure: {
    status: 'Stato',
    startDate: 'Data inizio, Data di inizio',
    endDate: 'Data fine, Data di fine, Scadenza contratto',
    position: 'Titolo, Funzione',
  },
  work: 'lavoro, aziendale, ufficio, professionale',
  notOurs: 'secondaria, alternativa, personale, privato, privata, casa, emergenza, responsabile',
  statuses: {
    active: 'attivo, attiva, in forza, assunto, in servizio, tempo pieno, part time',
    leave: 'maternità, congedo parentale, aspettativa, malattia, in congedo',
    ended: 'cessato, cessata, inattivo, licenziato, dimesso, pensionato, deceduto, sospeso, bloccato',
    future: 'da assumere, in assunzione',
  },
  yes: 'sì, si, vero',
};
